// run: kmeans 256/64
// global: float 512 = iota
// global: float 8 = iota
// global: int 256 = 0
// global: int 4 = 0
// global: int 8 = 0
// expect: nothing
#define K 4
__kernel void kmeans(__global const float* pts, __global const float* centres, __global int* assign,
                     volatile __global int* counts, volatile __global int* sums) {
    __local float c[K * 2];
    __local int lc[K], ls[2 * K];
    int l = get_local_id(0), g = get_global_id(0);
    if (l < 2 * K) {
        c[l] = centres[l];
        ls[l] = 0;
    }
    if (l < K)
        lc[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float best = FLT_MAX;
    int which;
    for (int k = 0; k < K; k++) {
        float dx = pts[2 * g] - c[2 * k], dy = pts[2 * g + 1] - c[2 * k + 1], d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            which = k;
        }
    }
    assign[g] = which;
    atomic_inc(&lc[which]);
    atomic_add(&ls[2 * which], (int)pts[2 * g]);
    atomic_add(&ls[2 * which + 1], (int)pts[2 * g + 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < K)
        atomic_add(&counts[l], lc[l]);
    if (l < 2 * K)
        atomic_add(&sums[l], ls[l]);
}
