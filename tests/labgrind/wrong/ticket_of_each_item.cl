// Each work-item takes its own ticket, so they do not leave the loop together.
// run: sum 16/8
// global: int 64 = iota
// global: int 1 = 0
// global: int 16 = 0
// expect: divergent-barrier 15
// says: line 16 gives each work-item its own tile, because every work-item executes the atomic operation: let only one execute it, and pass the result to the others through local memory
__kernel void sum(__global const int* data, volatile __global int* tickets,
                  __global int* results) {
    const uint lid = get_local_id(0);
    int result = 0;
    int tile = get_group_id(0);
    while (tile < 8) {
        result += data[8 * tile + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        tile = get_num_groups(0) + atomic_inc(tickets);
    }
    results[get_global_id(0)] = result;
}
