// run: k 64/64
// global: int 17 = iota
// global: int 1 = 16
// global: int 64 = 0
// expect: nothing
// node i links to i - 1, node 0 is the end: more takers than nodes
__kernel void k(__global const int* ids, volatile __global int* head, __global int* got) {
    int top = atomic_or(head, 0);
    while (top != 0) {
        int next = ids[top] - 1;
        int seen = atomic_cmpxchg(head, top, next);
        if (seen == top)
            break;
        top = seen;
    }
    got[get_global_id(0)] = top;
}
