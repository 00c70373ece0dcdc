// No barrier separates the loads of one round from the stores of the next one. What a work-item loads decides
// whether it makes another round, so some do not reach the barrier there.
// run: look 2/2
// global: int 8 = iota
// local: int 2
// expect: data-race 17
// says: there is no barrier between line 17 and line 12 in the next iteration
__kernel void look(__global int* x, __local int* seen) {
    const int lid = get_local_id(0);
    int sum = 0;
    for (int left = 4; left > 0;) {
        seen[lid] = x[left - 1 - lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        left -= 2;
        for (int i = 0; i < 2; ++i) {
            sum += seen[i];
            if (seen[i] == 1) {
                left = 0;
                break;
            }
        }
    }
    x[4 + lid] = sum;
}
