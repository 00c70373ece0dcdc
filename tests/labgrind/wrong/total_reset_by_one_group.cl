// run: k 256/64
// global: int 256 = 1
// global: int 1 = 0
// expect: data-race 8
__kernel void k(__global const int* data, __global int* total) {
    if (get_global_id(0) == 0)
        atomic_xchg(total, 0);
    atomic_add(total, data[get_global_id(0)]);
}
