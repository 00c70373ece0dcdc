// run: sum 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 4 = 0
// expect: data-race 12
__kernel void sum(__global const int* data, volatile __global int* total, __global int* seen) {
    int old;
    do {
        old = *total;
    } while (atomic_cmpxchg(total, old, old + data[get_global_id(0)]) != old);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) seen[get_group_id(0)] = *total;
}
