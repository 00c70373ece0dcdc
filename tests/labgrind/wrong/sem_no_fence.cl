// run: k 256/64
// global: int 256 = iota
// global: int 1 = 1
// global: int 1 = 0
// expect: data-race 10
__kernel void k(__global const int* in, volatile __global int* sem, volatile __global int* total) {
    if (get_local_id(0) == 0) {
        while (atomic_dec(sem) <= 0)
            atomic_inc(sem);
        *total += in[get_global_id(0)];
        atomic_inc(sem);
    }
}
