// run: k 1/1
// global: int 256 = iota
// expect: nothing
__kernel void k(__global int* a) {
    for (int i = 0; i < 256; i++)
        for (int j = 0; j + 1 < 256 - i; j++)
            if (a[j] < a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
