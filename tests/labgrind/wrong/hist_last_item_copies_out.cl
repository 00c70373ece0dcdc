// run: k 64/32
// global: int 64 = iota
// global: int 8 = 0
// expect: data-race 13
__kernel void k(__global const int* x, __global int* o) {
    __local int bin[4];
    int l = get_local_id(0);
    if (l < 4)
        bin[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&bin[x[get_global_id(0)] & 3]);
    if (l >= 28)
        o[get_group_id(0) * 4 + l - 28] = bin[l - 28];
}
