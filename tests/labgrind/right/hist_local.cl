// run: k 256/64
// global: int 256 = iota
// global: int 16 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local int h[16];
    int l = get_local_id(0);
    for (int i = l; i < 16; i += get_local_size(0))
        h[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&h[d[get_global_id(0)] % 16]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&o[l], h[l]);
}
