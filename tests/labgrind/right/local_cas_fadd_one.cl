// run: k 256/64
// global: float 16 = 0
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
    __local float s[4];
    int l = get_local_id(0);
    if (l < 4)
        s[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 16 == 3)
        fadd(&s[l / 16], 1.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4)
        t[get_group_id(0) * 4 + l] = s[l];
}
