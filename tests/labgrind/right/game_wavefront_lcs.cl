// run: k 64/64
// global: int 64 = iota
// global: int 65 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int row[3][65];
    __local int *p0 = row[0], *p1 = row[1], *p2 = row[2];
    int l = get_local_id(0);
    for (int i = l; i < 65; i += 64) {
        p0[i] = 0;
        p1[i] = 0;
        p2[i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    __local int *cur = row[2], *prev = row[1], *prev2 = row[0];
    for (int diag = 0; diag < 127; diag++) {
        int i = l + 1, j = diag - l + 1;
        int v = 0;
        if (j >= 1 && j <= 64)
            v = (d[i - 1] * 3 % 7 == d[j - 1] * 5 % 7) ? prev2[i - 1] + 1
                                                       : max(prev[i - 1], prev[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        cur[i] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int* t = prev2;
        prev2 = prev;
        prev = cur;
        cur = t;
    }
    o[l] = prev[l + 1];
}
