// Each group adds two elements, but the host passes the same buffer for the data and the results.
// run: k 12/4
// global: int 6 = iota
// again: 0
// expect: data-race 10
// says: the host passes one buffer as data and as results: should they be different buffers?
__kernel void k(__global const int* data, __global int* results) {
    const int group = get_group_id(0);
    if (get_local_id(0) == 0)
        results[group] = data[2 * group] + data[2 * group + 1];
}
