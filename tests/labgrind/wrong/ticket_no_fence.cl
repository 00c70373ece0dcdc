// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 14
// says: an atomic operation does not order other accesses
__kernel void k(__global const int* in, volatile __global int* next, volatile __global int* serving,
                volatile __global int* total) {
    if (get_local_id(0) == 0) {
        const int mine = atomic_inc(next);
        while (atomic_add(serving, 0) != mine)
            ;
        *total += in[get_global_id(0)];
        atomic_inc(serving);
    }
}
