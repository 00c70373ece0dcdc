// run: k 64/16
// global: int 64 = iota
// global: uchar 8 = 0
// expect: data-race 8
__kernel void k(__global const int* in, __global uchar* mask) {
    const int i = get_global_id(0);
    if (in[i] % 3 == 0)
        mask[i / 8] |= 1 << (i % 8);
}
