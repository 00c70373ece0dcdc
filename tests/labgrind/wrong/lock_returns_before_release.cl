// run: t 64/16
// global: int 64 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: never-unlocked 9
// says: after the branch at line 13, work-item 0 of group
__kernel void t(__global const int* data, volatile __global int* mutex, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(mutex, 0, 1) != 0) {
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        const int mine = data[get_global_id(0)];
        if (mine >= 0) {
            *sum += mine;
            return;
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
