// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 2 = 0
// expect: never-unlocked 7
void lock(volatile __global int* m) {
    while (atomic_cmpxchg(m, 0, 1) != 0)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void unlock(volatile __global int* m) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(m, 0);
}
void count(volatile __global int* m, volatile __global int* s) {
    lock(m);
    s[1]++;
    unlock(m);
}
__kernel void k(__global const int* in, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        lock(m);
        s[0] += in[get_global_id(0)];
        count(m, s);
        unlock(m);
    }
}
