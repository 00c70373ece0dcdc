// run: k 32x32/8x8
// global: int 1024 = iota
// value: int 5
// expect: nothing
// Floyd-Warshall, one launch per k, as in the AMD sample: row and column k are rewritten with what is there
__kernel void k(__global int* d, int kk) {
    int x = get_global_id(0), y = get_global_id(1);
    int direct = d[y * 32 + x];
    int via = d[y * 32 + kk] + d[kk * 32 + x];
    if (via < direct)
        d[y * 32 + x] = via;
}
