// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: barrier-in-lock 9
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    while (atomic_cmpxchg(m, 0, 1) != 0)
        ;
    barrier(CLK_GLOBAL_MEM_FENCE);
    *s += data[get_global_id(0)];
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(m, 0);
}
