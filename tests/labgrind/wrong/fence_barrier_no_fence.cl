// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: barrier-flag 10
__kernel void k(__global int* scratch, __global int* out) {
    const int i = get_global_id(0);
    const int l = get_local_id(0);
    scratch[i] += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] += scratch[i - l + (l + 1) % 64];
}
