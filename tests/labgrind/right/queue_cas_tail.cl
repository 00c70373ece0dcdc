// run: k 64/64
// global: int 64 = iota
// global: int 1 = 0
// global: int 64 = 0
// expect: nothing
__kernel void k(__global const int* job, volatile __global int* head, __global int* o) {
    for (;;) {
        int h = atomic_add(head, 0);
        if (h >= 40)
            break;
        if (atomic_cmpxchg(head, h, h + 1) == h) {
            o[h] = job[h] * 2;
        }
    }
}
