// An atomic addition of data.
// run: go 64/64
// global: int 64 = 1
// global: int 1 = 0
// counts: additions 64

__kernel void go(__global const int* data, __global int* output) {
    atomic_add(output, data[get_global_id(0)]);
}
