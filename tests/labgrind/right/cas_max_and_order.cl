// run: k 64/64
// global: float 64 = iota
// global: int 1 = 0
// global: int 1 = 0
// global: int 64 = 0
// expect: nothing
// a float maximum, and a list of large elements in any order
__kernel void k(__global const float* d, volatile __global int* best, volatile __global int* n,
                __global int* list) {
    float v = d[get_global_id(0)];
    int old = *best;
    while (as_float(old) < v) {
        int seen = atomic_cmpxchg(best, old, as_int(v));
        if (seen == old)
            break;
        old = seen;
    }
    if (v > 20)
        list[atomic_inc(n)] = get_global_id(0);
}
