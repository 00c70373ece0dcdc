// run: k 64/64
// global: int 64 = iota
// global: int 1 = 0
// global: int 65 = 1000
// expect: lock-step-hang 12
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* list) {
    const int v = in[get_global_id(0)];
    int primes = 0;
    for (int d = 2; d < v; d++)
        if (v % d == 0)
            primes++;
    while (atomic_xchg(lock, 1) == 1)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    list[0] += primes;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}
