// The attempt is repeated if the compare-and-swap stores, not if it fails: no other work-item can end that.
// run: k 1/1
// global: int 1 = 0
// expect: endless-loop 10
// never: it waits
__kernel void k(volatile __global int* sum) {
    int done = 0;
    int rounds = 0;

    while (!done) {
        const int before = sum[0];
        if (atomic_cmpxchg(&sum[0], before, before + 1) != before)
            done = 1;
        ++rounds;
    }
}
