// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: plain-unlock 15
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        do {
            while (atomic_add(lock, 0) != 0)
                ;
        } while (atomic_xchg(lock, 1) != 0);
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *sum += in[get_global_id(0)];
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        *lock = 0;
    }
}
