// run: k 256/64
// global: int 1 = 0
// global: float 256 = 0
// expect: nothing
__kernel void k(volatile __global int* w, __global float* o) {
    __local int first;
    int l = get_local_id(0);
    if (l == 0)
        first = (atomic_cmpxchg(w, 0, 1) == 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first)
        o[l] = 1;
}
