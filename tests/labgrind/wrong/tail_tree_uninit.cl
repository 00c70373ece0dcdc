// run: rd 64/16
// global: float 60 = iota
// global: float 4 = 0
// value: int 60
// expect: uninitialised 14
__kernel void rd(__global const float* in, __global float* out, int n) {
    __local float t[16];
    const int i = get_global_id(0), l = get_local_id(0);
    if (i < n)
        t[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s >>= 1) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0];
}
