// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: divergent-barrier 12
__kernel void k(__global const int* in, __global int* out) {
    __local int t[16];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (int i = 0; i < 8; i++) {
        if ((l + i) % 2 == 0)
            continue;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l]++;
    }
    out[get_global_id(0)] = t[l];
}
