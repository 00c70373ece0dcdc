// run: k 16/4
// global: int 16 = iota
// global: int 16 = 0
// global: int 1 = 0
// global: int 1 = 0
// expect: data-race 25
// says: signals, but there is no barrier(CLK_GLOBAL_MEM_FENCE) between line 15 and the signal
// All work-items store a result, but work-item 0 counts the group as done before the others have stored.
__kernel void k(__global const int* in, __global int* out, volatile __global int* done,
                __global int* total) {
    __local int is_last;
    size_t lid = get_local_id(0);
    is_last = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 2 * in[get_global_id(0)];
    if (lid == 0) {
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        is_last = atomic_inc(done) == get_num_groups(0) - 1;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (lid == 0 && is_last) {
        int sum = 0;
        for (int i = 0; i < get_global_size(0); i++)
            sum += out[i];
        *total = sum;
    }
}
