// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: divergent-barrier 12
__kernel void k(__global const int* in, __global int* out) {
    __local int t[64];
    const int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)];
    for (int i = 0; i < 4; i++) {
        const int steps = lid % 2 == 0 ? i : 3 - i;
        for (int j = 0; j < steps; j++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            t[lid] += j;
        }
    }
    out[get_global_id(0)] = t[lid];
}
