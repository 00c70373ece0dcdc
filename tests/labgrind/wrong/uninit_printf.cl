// run: k 1/1
// global: int 1 = 0
// expect: uninitialised 8
__kernel void k(__global int* out) {
    int x;
    if (out[0])
        x = 3;
    out[0] = x * 0 + x;
}
