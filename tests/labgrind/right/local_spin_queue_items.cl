// run: k 64/64
// global: int 64 = 0
// global: int 1 = 1
// global: int 1 = 0
// global: int 256 = 0
// expect: nothing
// work-items take jobs until nothing is left; a job may add jobs before it is counted done
__kernel void k(__global int* o, volatile __global int* pending, volatile __global int* head,
                volatile __global int* seen) {
    int mine = 0;
    while (atomic_add(pending, 0) > 0) {
        int h = atomic_add(head, 0);
        if (h < 100 && atomic_cmpxchg(head, h, h + 1) == h) {
            if (h + 1 < 100)
                atomic_inc(pending);
            atomic_inc(&seen[h]);
            mine++;
            atomic_dec(pending);
        }
    }
    o[get_global_id(0)] = mine;
}
