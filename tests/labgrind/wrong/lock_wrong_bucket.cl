// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: data-race 12
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    int b = data[get_global_id(0)] % 4;
    bool done = false;
    while (!done)
        if (atomic_cmpxchg(m + b, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            s[b / 2]++;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(m + b, 0);
            done = true;
        }
}
