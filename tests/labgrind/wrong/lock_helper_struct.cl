// run: k 256/64
// global: int 256 = iota
// global: int 3 = 0
// expect: plain-unlock 12
typedef struct {
    int lock, sum, count;
} Shared;
void take(volatile __global Shared* s) {
    while (atomic_cmpxchg(&s->lock, 0, 1) != 0)
        ;
}
void give(volatile __global Shared* s) { s->lock = 0; }
__kernel void k(__global const int* in, volatile __global Shared* s) {
    if (get_local_id(0) == 0) {
        take(s);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        s->sum += in[get_global_id(0)];
        s->count++;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        give(s);
    }
}
