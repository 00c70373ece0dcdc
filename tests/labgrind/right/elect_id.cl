// run: k 256/64
// global: int 1 = -1
// global: int 1 = 0
// expect: nothing
__kernel void k(volatile __global int* w, __global int* c) {
    if (atomic_cmpxchg(w, -1, (int)get_global_id(0)) == -1)
        *c = 42;
}
