// run: k 64/16
// global: float 64 = iota
// global: float 4 = 0
// expect: divergent-barrier 10
float reduce(__local float* t, int n) {
    const int l = get_local_id(0);
    for (int s = n / 2; s > 0; s /= 2) {
        if (l < s)
            t[l] += t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return t[0];
}
__kernel void k(__global const float* in, __global float* out) {
    __local float t[16];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = l == 0 ? reduce(t, 16) : 0;
    if (l == 0)
        out[get_group_id(0)] = s;
}
