// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0);
    s[l] = d[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (get_local_size(0)) {
    case 64:
        if (l < 32)
            s[l] += s[l + 32];
        barrier(CLK_LOCAL_MEM_FENCE);
    case 32:
        if (l < 16)
            s[l] += s[l + 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    case 16:
        if (l < 8)
            s[l] += s[l + 8];
        barrier(CLK_LOCAL_MEM_FENCE);
        break;
    default:
        return;
    }
    if (l == 0) {
        float t = 0;
        for (int i = 0; i < 8; i++)
            t += s[i];
        o[get_group_id(0)] = t;
    }
}
