// run: k 64/64
// global: int 1 = 0
// global: int 64 = -1
// expect: nothing
// 33 jobs for 64 workers, one each, tickets by compare-and-swap
__kernel void k(volatile __global int* head, __global int* job_of) {
    int h = atomic_add(head, 0);
    while (h < 33) {
        int seen = atomic_cmpxchg(head, h, h + 1);
        if (seen == h) {
            job_of[get_global_id(0)] = h;
            return;
        }
        h = seen;
    }
}
