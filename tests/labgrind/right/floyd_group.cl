// run: k 32x8/32x8
// global: int 1024 = iota
// expect: nothing
__kernel void k(__global int* d) {
    int x = get_local_id(0);
    for (int kk = 0; kk < 32; kk++) {
        for (int y = get_local_id(1); y < 32; y += 8) {
            int via = d[y * 32 + kk] + d[kk * 32 + x];
            if (y != kk && x != kk && via < d[y * 32 + x])
                d[y * 32 + x] = via;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
