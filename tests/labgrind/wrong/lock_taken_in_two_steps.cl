// run: sum 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 12
// expect: data-race 15
// says: line 12 reads it and line 15 writes it in two steps, and another work-item can come between them: use one atomic operation
// never: needs a mem_fence
__kernel void sum(__global const int* data, volatile __global int* mutex,
                  volatile __global int* total) {
    if (get_local_id(0) == 0) {
        int seen = *mutex;
        while (seen == 1)
            ;
        *mutex = 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *total += data[get_group_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg(mutex, 0);
    }
}
