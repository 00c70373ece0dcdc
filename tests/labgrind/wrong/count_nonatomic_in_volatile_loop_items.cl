// run: k 64/64
// global: int 256 = iota
// global: int 1 = 0
// expect: data-race 8
__kernel void k(__global const int* in, volatile __global int* n) {
    for (int i = get_global_id(0); i < 256; i += 64)
        if (in[i] % 2)
            (*n)++;
}
