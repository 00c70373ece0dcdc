// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: nothing
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        int mine = atomic_inc(m);
        while (atomic_add(m + 1, 0) != mine)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *s += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(m + 1);
    }
}
