// run: add 8/4
// global: float 16 = 1
// expect: data-race 9
// says: Check the indices: should both groups use this element?

// Each work-item has two elements, but each group begins where the one before it has its second half.
__kernel void add(__global float* values) {
    const size_t first = get_group_id(0) * get_local_size(0) + 2 * get_local_id(0);
    values[first] += 1.0f;
}
