// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int l = get_local_id(0);
    float sum = d[get_global_id(0)];
    s[l] = sum;
    for (int off = get_local_size(0) / 2; off > 0; off >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < off)
            s[l] = sum = sum + s[l + off];
    }
    if (l == 0)
        o[get_group_id(0)] = sum;
}
