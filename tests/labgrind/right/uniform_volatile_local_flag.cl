// run: k 64/64
// global: int 64 = iota
// expect: nothing
// bubble sort in a group until nothing moves
__kernel void k(__global int* a) {
    __local volatile int s[64];
    __local volatile int moved;
    int l = get_local_id(0);
    s[l] = (a[l] * 37) % 64;
    while (true) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0)
            moved = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int p = 0; p < 2; p++) {
            int i = 2 * l + p;
            if (i + 1 < 64 && s[i] > s[i + 1]) {
                int t = s[i];
                s[i] = s[i + 1];
                s[i + 1] = t;
                moved = 1;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (!moved)
            break;
    }
    a[l] = s[l];
}
