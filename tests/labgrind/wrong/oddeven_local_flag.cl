// run: k 64/64
// global: int 64 = iota
// expect: barrier-flag 12
__kernel void k(__global int* a) {
    const int i = get_local_id(0);
    for (int s = 0; s < 64; s++) {
        if (i % 2 == s % 2 && i < 63 && 64 - a[i] > 64 - a[i + 1]) {
            int x = a[i];
            a[i] = a[i + 1];
            a[i + 1] = x;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
