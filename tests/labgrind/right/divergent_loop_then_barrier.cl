// run: k 256/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    int l = get_local_id(0), g = get_global_id(0);
    __local float s[64];
    float x = 0;
    for (int i = 0; i < l; i++)
        x += 1;
    s[l] = x;
    while (x > 3)
        x -= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 2; r++) {
        if (l % 2)
            for (int j = 0; j < l % 5; j++)
                x += j;
        else
            x = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[g] = d[g];
}
