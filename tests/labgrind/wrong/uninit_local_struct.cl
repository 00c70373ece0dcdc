// run: k 64/16
// global: float 64 = iota
// global: float 4 = 0
// expect: uninitialised 20
typedef struct {
    float v;
    int i;
} Pair;
__kernel void k(__global const float* in, __global float* out) {
    __local Pair t[16];
    const int l = get_local_id(0);
    t[l].v = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 8; s > 0; s /= 2) {
        if (l < s && t[l + s].v > t[l].v)
            t[l] = t[l + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = t[0].i;
}
