// run: k 64/16
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 12
__kernel void k(__global const float* in, __global float* out) {
    __local float a[16];
    __local float b[16];
    const int l = get_local_id(0);
    a[l] = in[get_global_id(0)];
    b[l] = 2 * a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = a[l + 1] + b[l];
}
