// run: k 32/32
// global: int 32 = iota
// global: int 1 = 0
// expect: data-race 12
__kernel void k(__global const int* in, __global int* o) {
    __local int top;
    int l = get_local_id(0);
    if (l == 0) {
        top = in[5];
        o[0] = top;
    }
    top = 0;
}
