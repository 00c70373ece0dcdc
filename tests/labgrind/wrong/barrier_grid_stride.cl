// run: k 64/16
// global: float 100 = iota
// global: float 100 = 0
// value: int 100
// expect: divergent-barrier 11
__kernel void k(__global const float* in, __global float* out, int n) {
    __local float t[16];
    const int l = get_local_id(0);
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        t[l] = in[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[i] = t[l ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
