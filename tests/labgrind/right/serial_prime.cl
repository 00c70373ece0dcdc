// run: k 4/2
// global: int 4 = 0
// expect: nothing
__kernel void k(__global int* o) {
    int n = get_global_id(0) * 50 + 1000, c = 0;
    for (int i = 2; i < n; i++) {
        int p = 1;
        for (int j = 2; j * j <= i; j++)
            if (i % j == 0) {
                p = 0;
                break;
            }
        c += p;
    }
    o[get_global_id(0)] = c;
}
