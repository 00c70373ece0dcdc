// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 16 = 7
// expect: data-race 15
__kernel void k(__global const int* in, volatile __global int* first, volatile __global int* hist) {
    if (get_local_id(0) == 0) {
        if (atomic_cmpxchg(first, 0, 1) == 0) {
            for (int b = 0; b < 16; b++)
                hist[b] = 0;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
        }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&hist[in[get_global_id(0)] % 16]);
}
