// Places that are drawn are no data.
// run: go 64/64
// global: int 1 = 0
// global: float 64 = 1
// global: float 64 = 0
// counts: additions 0

__kernel void go(__global int* counter, __global const float* data, __global float* output) {
    const int place = atomic_inc(counter);
    const int left = max(place - 1, 0);
    output[place] = max(data[place], data[left]);
}
