// run: k 2/2
// global: int 16 = 1
// global: int 1 = 99
// expect: nothing
__kernel void k(__global const int* w, __global int* best) {
    int bound = *best, cost = get_global_id(0);
    for (int i = 0; i < 16; i++)
        cost += w[i];
    if (cost < bound)
        atomic_min(best, cost);
}
