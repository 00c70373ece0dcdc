// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// global: int 16 = 0
// expect: data-race 9
// expect: data-race 11
__kernel void k(__global const int* in, __global int* out, __global int* scratch) {
    const int l = get_local_id(0);
    scratch[l] = in[get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = scratch[15 - l];
}
