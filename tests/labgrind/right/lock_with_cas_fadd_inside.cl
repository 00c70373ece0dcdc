// run: k 64/64
// global: float 64 = iota
// global: int 1 = 0
// global: float 1 = 0
// global: int 1 = 0
// expect: nothing
void fadd(volatile __global float* p, float v) {
    union {
        int i;
        float f;
    } old, now;
    do {
        old.f = *p;
        now.f = old.f + v;
    } while (atomic_cmpxchg((volatile __global int*)p, old.i, now.i) != old.i);
}
__kernel void k(__global const float* d, volatile __global int* lock, volatile __global float* sum,
                __global int* count) {
    bool done = false;
    while (!done) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            fadd(sum, d[get_global_id(0)]);
            *count += 1;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = true;
        }
    }
}
