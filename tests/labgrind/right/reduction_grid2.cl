// run: k 256/64
// global: float 1000 = 1
// local: char 256
// global: float 4 = 0
// value: uint 1000
// expect: nothing
__kernel void k(__global const float* d, __local volatile float* s, __global float* o, uint n) {
    uint tid = get_local_id(0), bs = get_local_size(0), i = get_group_id(0) * bs * 2 + tid,
         gs = bs * 2 * get_num_groups(0);
    s[tid] = 0;
    while (i < n) {
        s[tid] += d[i];
        if (i + bs < n)
            s[tid] += d[i + bs];
        i += gs;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (bs >= 128) {
        if (tid < 64)
            s[tid] += s[tid + 64];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (bs >= 64) {
        if (tid < 32)
            s[tid] += s[tid + 32];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 16; k; k >>= 1) {
        if (tid < k)
            s[tid] += s[tid + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (tid == 0)
        o[get_group_id(0)] = s[0];
}
