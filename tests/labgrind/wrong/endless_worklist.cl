// run: k 64/16
// global: int 1 = 0
// global: int 64 = 0
// expect: endless-loop 7
__kernel void k(volatile __global int* next, __global int* out) {
    int i = atomic_inc(next);
    while (i < 64) {
        out[i] = i * i;
        atomic_inc(next);
    }
}
