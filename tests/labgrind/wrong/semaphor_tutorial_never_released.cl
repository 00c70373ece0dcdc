// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: never-unlocked 7
void GetSemaphor(volatile __global int* s) {
    int occupied = atomic_xchg(s, 1);
    while (occupied > 0)
        occupied = atomic_xchg(s, 1);
}
void ReleaseSemaphor(volatile __global int* s) { int prevVal = atomic_xchg(s, 0); }
__kernel void k(__global const int* in, volatile __global int* s, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        GetSemaphor(s);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        if (in[get_global_id(0)] == 64)
            return;
        *sum += in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        ReleaseSemaphor(s);
    }
}
