// run: k 32/32
// global: int 64 = iota
// global: int 128 = 0
// expect: nothing
__kernel void k(__global const int* a, __global int* o) {
    __local int s[128];
    int l = get_local_id(0);
    for (int i = l; i < 64; i += 32) {
        s[i] = a[i] * 2;
        s[64 + i] = a[i] * 3;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int diag = l * 4, lo = max(0, diag - 64), hi = min(diag, 64);
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (s[mid] <= s[64 + diag - 1 - mid])
            lo = mid + 1;
        else
            hi = mid;
    }
    int i = lo, j = diag - lo;
    for (int k = 0; k < 4; k++)
        o[diag + k] = (j >= 64 || (i < 64 && s[i] <= s[64 + j])) ? s[i++] : s[64 + j++];
}
