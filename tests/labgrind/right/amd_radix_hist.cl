// run: histogram 64/16
// global: uint 1024 = iota
// global: uint 1024 = 0
// value: uint 0
// local: ushort 4096
// expect: nothing
__kernel void histogram(__global const uint* in, __global uint* buckets, uint shift,
                        __local ushort* s) {
    size_t l = get_local_id(0), g = get_global_id(0), grp = get_group_id(0), n = get_local_size(0);
    for (int i = 0; i < 256; i++)
        s[l * 256 + i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 16; i++) {
        uint v = (in[g * 16 + i] >> shift) & 0xFFU;
        s[l * 256 + v]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = l; b < 256; b += n) {
        uint t = 0;
        for (int i = 0; i < n; i++)
            t += s[i * 256 + b];
        buckets[grp * 256 + b] = t;
    }
}
