// run: k 256/64
// global: int 256 = iota
// global: int 1 = 0
// global: int 1 = 0
// expect: never-unlocked 9
__kernel void k(__global const int* in, volatile __global int* lock, volatile __global int* sum) {
    if (get_local_id(0) == 0) {
        for (int i = 0; i < 4; i++) {
            while (atomic_cmpxchg(lock, 0, 1) != 0)
                ;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            if (in[get_global_id(0) + i] % 2)
                continue;
            *sum += in[get_global_id(0) + i];
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
        }
    }
}
