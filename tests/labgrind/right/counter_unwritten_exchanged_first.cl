// run: t 64/64
// global: int 1 = unwritten
// expect: nothing
__kernel void t(volatile __global int* count) {
    if (get_local_id(0) == 0)
        atomic_xchg(count, 0);
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(count);
}
