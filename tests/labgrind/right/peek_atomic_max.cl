// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, volatile __global int* best) {
    int v = d[get_global_id(0)];
    if (v > *best)
        atomic_max(best, v);
}
