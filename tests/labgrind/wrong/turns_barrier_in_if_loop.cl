// run: scan 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: divergent-barrier 13
__kernel void scan(__global const int* in, __global int* out) {
    __local int t[64];
    const int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int turn = 0; turn < 2; turn++) {
        if (lid / 32 == turn) {
            t[lid] += 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    out[get_global_id(0)] = t[lid];
}
