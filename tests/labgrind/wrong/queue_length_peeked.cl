// run: k 256/64
// global: int 256 = iota
// global: int 256 = 0
// global: int 1 = 0
// expect: data-race 9
__kernel void k(__global const int* data, __global int* queue, __global int* length) {
    const int value = data[get_global_id(0)];
    // The value of the counter at the time of the increment is never checked.
    if (value % 3 == 0 && *length < 200)
        queue[atomic_inc(length)] = value;
}
