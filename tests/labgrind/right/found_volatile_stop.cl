// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = -1
// expect: nothing
// password search: stop when a work-item has found it, the first finder writes
__kernel void k(__global const int* d, volatile __global int* found, __global int* where) {
    if (atomic_or(found, 0))
        return;
    if (d[get_global_id(0)] * 7 % 256 == 91)
        if (atomic_cmpxchg(found, 0, 1) == 0)
            *where = get_global_id(0);
}
