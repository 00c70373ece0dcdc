// Work-item 0 loads the offset for all, but nothing makes the others wait for it.
// run: add 8/4
// global: float 8 = iota
// global: float 2 = 1
// expect: data-race 14
// says: there is no barrier between them
// never: both change it
__kernel void add(__global float* values, __global const float* offsets) {
    __local float offset;
    const size_t group = get_group_id(0);
    if (get_local_id(0) == 0)
        offset = offsets[group];

    values[get_global_id(0)] += offset;
}
