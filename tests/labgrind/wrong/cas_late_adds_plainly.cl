// run: k 64/32
// global: int 64 = iota
// global: int 1 = 0
// expect: data-race 9
// expect: data-race 10
// expect: data-race 11
__kernel void k(__global const int* in, volatile __global int* sum) {
    const int value = in[get_global_id(0)];
    const int seen = *sum;
    if (atomic_cmpxchg(sum, seen, seen + value) != seen)
        *sum += value; // another work-item was faster
}
