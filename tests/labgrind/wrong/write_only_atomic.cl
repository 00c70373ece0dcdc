// run: t 256/64
// write-only: int 1
// expect: reads-write-only 5
__kernel void t(volatile __global int* count) {
    atomic_inc(count);
}
