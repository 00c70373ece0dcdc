// run: sum 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: no-retry 10
// says: line 10 continues the loop after it has got the lock
__kernel void sum(__global const int* data, volatile __global int* mutex,
                  volatile __global int* total) {
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(mutex, 0, 1) == 0)
            ;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
