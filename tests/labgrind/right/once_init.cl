// run: k 256/64
// global: int 1 = 0
// global: int 16 = 0
// global: int 256 = 0
// expect: nothing
// state 0: not started, 1: busy, 2: ready
__kernel void k(volatile __global int* state, __global int* table, __global int* o) {
    if (get_local_id(0) == 0) {
        if (atomic_cmpxchg(state, 0, 1) == 0) {
            for (int i = 0; i < 16; i++)
                table[i] = i * i;
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(state, 2);
        } else {
            while (atomic_add(state, 0) != 2)
                ;
        }
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    o[get_global_id(0)] = table[get_local_id(0) % 16];
}
