// run: k 64/64
// global: float 64 = iota
// value: int 2500
// expect: nothing
__kernel void k(__global float* a, int steps) {
    __local float s[2][64];
    int l = get_local_id(0);
    s[0][l] = a[l];
    s[1][l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = 0; t < steps; t++) {
        if (l > 0 && l < 63)
            s[1 - t % 2][l] = 0.5f * (s[t % 2][l - 1] + s[t % 2][l + 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = s[steps % 2][l];
}
