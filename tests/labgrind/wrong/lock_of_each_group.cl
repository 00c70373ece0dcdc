// run: sum 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: out-of-bounds 11
// expect: out-of-bounds 16
// says: mutex[1] at line 11, but mutex has one element; if it is a lock or a counter, all work-items must use mutex[0]
__kernel void sum(__global const int* data, volatile __global int* mutex,
                  volatile __global int* total) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(mutex + get_group_id(0), 0, 1) != 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex + get_group_id(0), 0);
    }
}
