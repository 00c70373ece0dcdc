// A ticket lock needs two words, but the host creates a buffer with one.
// run: k 4/4
// global: int 1 = 0
// global: int 1 = 0
// expect: out-of-bounds 9
// expect: out-of-bounds 12
// says: lock[1] at line 9, but lock has one element; this index is always 1: should the host create the buffer
__kernel void k(volatile __global int* lock, __global int* sum) {
    if (get_local_id(0) == 0) { const int ticket = atomic_inc(lock); while (atomic_add(&lock[1], 0) != ticket) {}
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += 1; mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_inc(&lock[1]); }
}
