// run: k 256/64
// global: int 256 = iota
// global: int 2 = 0
// global: int 1 = 0
// expect: endless-loop 9
__kernel void k(__global const int* in, volatile __global int* t, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        const int mine = atomic_inc(&t[0]);
        while (atomic_or(&t[1], 0) != mine)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (in[get_global_id(0)] == 64)
            return;
        *sum += in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(&t[1]);
    }
}
