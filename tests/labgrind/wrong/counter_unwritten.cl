// run: t 256/64
// global: int 1 = unwritten
// expect: uninitialised 5
__kernel void t(volatile __global int* count) {
    atomic_inc(count);
}
