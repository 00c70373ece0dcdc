// run: k 256/64
// global: float 4 = 0
// global: float 256 = iota
// expect: nothing
void fadd(volatile __local float* p, float v) {
    uint o, n;
    do {
        o = as_uint(*p);
        n = as_uint(as_float(o) + v);
    } while (atomic_cmpxchg((volatile __local uint*)p, o, n) != o);
}
__kernel void k(__global float* t, __global const float* d) {
    __local float s;
    if (get_local_id(0) == 0)
        s = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    fadd(&s, d[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        t[get_group_id(0)] = s;
}
