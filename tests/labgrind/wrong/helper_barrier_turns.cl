// run: k 64/16
// global: int 64 = iota
// global: int 64 = 0
// expect: divergent-barrier 5
void sync_row(void) { barrier(CLK_LOCAL_MEM_FENCE); }
__kernel void k(__global const int* in, __global int* out) {
    __local int t[16];
    const int l = get_local_id(0);
    t[l] = in[get_global_id(0)];
    for (int p = 0; p < 4; p++) {
        if (l / 4 == p) {
            t[l] *= 2;
            sync_row();
        }
    }
    out[get_global_id(0)] = t[l];
}
