// run: k 256/64
// global: float 256 = iota
// local: char 256
// global: float 4 = 0
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o) {
    int gi = get_global_id(0);
    float acc = 0;
    while (gi < 256) {
        acc += d[gi];
        gi += get_global_size(0);
    }
    int li = get_local_id(0);
    s[li] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int off = get_local_size(0) / 2; off > 0; off = off / 2) {
        if (li < off) {
            float other = s[li + off];
            float mine = s[li];
            s[li] = mine + other;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (li == 0)
        o[get_group_id(0)] = s[0];
}
