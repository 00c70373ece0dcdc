// run: k 64/64
// global: int 33 = iota
// global: int 1 = 32
// global: int 33 = 0
// global: int 64 = 0
// expect: nothing
// blocks 32..1 are on a free list; a work-item that finds none goes without
__kernel void k(__global const int* index, volatile __global int* free_head, __global int* block,
                __global int* got) {
    int b;
    do {
        b = atomic_or(free_head, 0);
        if (b == 0)
            break;
    } while (atomic_cmpxchg(free_head, b, index[b] - 1) != b);
    if (b != 0)
        block[b] = get_global_id(0);
    got[get_global_id(0)] = b;
}
