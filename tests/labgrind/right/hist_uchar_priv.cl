// run: k 256/64
// global: int 1024 = iota
// global: int 32 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* o) {
    __local uchar h[64 * 8];
    int l = get_local_id(0);
    for (int i = 0; i < 8; i++)
        h[i * 64 + l] = 0;
    for (int i = 0; i < 4; i++)
        h[(d[get_global_id(0) * 4 + i] % 8) * 64 + l]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) {
        int s = 0;
        for (int i = 0; i < 64; i++)
            s += h[l * 64 + (i + l) % 64];
        o[get_group_id(0) * 8 + l] = s;
    }
}
