// run: k 256/64
// global: uint 256 = iota
// global: uint 256 = 0
// expect: nothing
__kernel void k(__global const uint* d, __global uint* o) {
    __local uint s[64];
    __local uint p[64];
    uint l = get_local_id(0);
    s[l] = (d[get_global_id(0)] * 29) % 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = 0; b < 6; b++) {
        uint v = s[l];
        uint e = !((v >> b) & 1);
        p[l] = e;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 1; i < 64; i <<= 1) {
            uint t = p[l];
            if (l >= i)
                t += p[l - i];
            barrier(CLK_LOCAL_MEM_FENCE);
            p[l] = t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        uint tot = p[63];
        uint pos = e ? p[l] - 1 : tot + l - p[l];
        s[pos] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[get_global_id(0)] = s[l];
}
