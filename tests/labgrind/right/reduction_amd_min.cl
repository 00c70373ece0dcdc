// run: k 256/64
// global: float 300 = iota
// local: char 256
// global: float 4 = 0
// value: int 300
// expect: nothing
__kernel void k(__global const float* d, __local float* s, __global float* o, const int length) {
    int gi = get_global_id(0);
    float acc = INFINITY;
    while (gi < length) {
        float e = d[gi];
        acc = (acc < e) ? acc : e;
        gi += get_global_size(0);
    }
    int li = get_local_id(0);
    s[li] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int off = get_local_size(0) / 2; off > 0; off = off / 2) {
        if (li < off) {
            s[li] = fmin(s[li], s[li + off]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (li == 0)
        o[get_group_id(0)] = s[0];
}
