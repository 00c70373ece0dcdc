// run: cv 64/16
// global: float 60 = iota
// global: float 60 = 0
// value: int 60
// expect: divergent-barrier 12
__kernel void cv(__global const float* in, __global float* out, int n) {
    __local float t[16];
    const int i = get_global_id(0), l = get_local_id(0);
    if (i >= n)
        return;
    t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l > 0 ? t[l - 1] : t[l];
}
