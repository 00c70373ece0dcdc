// run: k 64/16
// global: float 512 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float4* d, __local float4* s, __global float* o) {
    uint l = get_local_id(0);
    uint g = get_global_id(0);
    s[l] = d[2 * g] + d[2 * g + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_size(0) / 2; i > 0; i >>= 1) {
        if (l < i)
            s[l] += s[l + i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) {
        float4 v = s[0];
        o[get_group_id(0)] = v.x + v.y + v.z + v.w;
    }
}
