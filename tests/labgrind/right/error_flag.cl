// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// expect: nothing
__kernel void k(__global const int* d, __global int* err) {
    if (d[get_global_id(0)] > 3)
        atomic_xchg(err, 1);
}
