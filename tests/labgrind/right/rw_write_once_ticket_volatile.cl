// run: k 256/64
// global: int 2 = 0
// global: int 1 = 0
// expect: nothing
// ticket lock in a struct, served by plain increment under the lock? no: by atomic
typedef struct {
    volatile int next, now;
} ticket_lock;
void acquire(__global ticket_lock* t) {
    int me = atomic_inc(&t->next);
    while (t->now != me)
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
}
void release(__global ticket_lock* t) {
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_inc(&t->now);
}
__kernel void k(__global ticket_lock* t, __global int* c) {
    if (get_local_id(0) == 0) {
        acquire(t);
        *c += 3;
        release(t);
    }
}
