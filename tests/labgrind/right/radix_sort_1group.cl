// run: k 64/64
// global: uint 64 = iota
// expect: nothing
__kernel void k(__global uint* a) {
    __local uint s[64], pos[64];
    __local uint zeros;
    int l = get_local_id(0);
    s[l] = (a[l] * 2654435761u) >> 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = 0; b < 24; b++) {
        uint v = s[l], bit = (v >> b) & 1;
        pos[l] = !bit;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int off = 1; off < 64; off <<= 1) {
            uint t = l >= off ? pos[l - off] : 0;
            barrier(CLK_LOCAL_MEM_FENCE);
            pos[l] += t;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (l == 63)
            zeros = pos[63];
        barrier(CLK_LOCAL_MEM_FENCE);
        uint to = bit ? zeros + l - pos[l] : pos[l] - 1;
        s[to] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = s[l];
}
