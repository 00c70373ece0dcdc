// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// expect: endless-loop 8
__kernel void k(__global const int* sorted, __global int* out) {
    const int key = get_global_id(0);
    int lo = 0, hi = 255;
    while (lo < hi) {
        int mid = (lo + hi) / 2;
        if (sorted[mid] <= key)
            lo = mid;
        else
            hi = mid - 1;
    }
    out[key] = lo;
}
