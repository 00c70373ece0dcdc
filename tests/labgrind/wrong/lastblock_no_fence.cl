// run: red 256/64
// global: float 256 = iota
// global: float 4 = 0
// global: uint 1 = 0
// global: float 1 = 0
// expect: data-race 27
__kernel void red(__global const float* in, __global float* part, volatile __global uint* count,
                  __global float* out) {
    __local float t[64];
    __local int last;
    const int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
        if (lid < s)
            t[lid] += t[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) {
        part[get_group_id(0)] = t[0];
        last = atomic_inc(count) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (last && lid == 0) {
        float s = 0;
        for (int g = 0; g < get_num_groups(0); g++)
            s += part[g];
        out[0] = s;
    }
}
