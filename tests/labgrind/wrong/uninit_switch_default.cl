// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: uninitialised 18
__kernel void k(__global const int* in, __global int* out) {
    int f;
    switch (in[get_global_id(0)] % 4) {
    case 0:
        f = 1;
        break;
    case 1:
        f = 2;
        break;
    case 2:
        f = 4;
        break;
    }
    out[get_global_id(0)] = f * 2;
}
