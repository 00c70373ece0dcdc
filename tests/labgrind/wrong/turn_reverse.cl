// run: k 64/64
// global: int 64 = iota
// global: int 1 = 63
// global: int 1 = 0
// expect: endless-loop 7
__kernel void k(__global const int* in, volatile __global int* turn, volatile __global int* sum) {
    while (atomic_add(turn, 0) != get_global_id(0))
        ;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    *sum += in[get_global_id(0)];
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_dec(turn);
}
