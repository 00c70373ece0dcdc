// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local int stop;
    __local float s[64];
    s[l] = d[g];
    if (l == 0)
        stop = 0;
    for (int it = 0; it < 100; it++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int st = stop;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (st)
            return;
        if (l == 0 && it == 5)
            stop = 1;
        o[g] = s[l];
    }
}
