// Each group waits for its turn, and adds to a total without fences.
// run: chain 64/8
// global: int 8
// global: int 2 = 0
// expect: data-race 15
// expect: data-race 16
// says: the work-item that signals needs a mem_fence(CLK_GLOBAL_MEM_FENCE) between its store and its atomic operation, and the one that receives the signal needs one after it has read it

__kernel void chain(__global int* out, volatile __global int* state) {
    const int group = get_group_id(0);
    if (get_local_id(0) != 0)
        return;
    while (state[0] != group) {
    }
    const int before = state[1];
    state[1] = before + group;
    atomic_inc(&state[0]);
    out[group] = before;
}
