// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: nothing
__kernel void k(__global int* scratch, __global int* out) {
    const int i = get_global_id(0);
    const int l = get_local_id(0);
    for (int round = 0; round < 3; ++round) {
        scratch[i] += round;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        out[i] += scratch[i - l + (l + 1) % 64];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        barrier(CLK_LOCAL_MEM_FENCE);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
}
