// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 9
__kernel void k(__global const int* in, volatile __global int* best, __global int* where) {
    const int v = in[get_global_id(0)];
    if (atomic_max(best, v) < v)
        *where = get_global_id(0);
}
