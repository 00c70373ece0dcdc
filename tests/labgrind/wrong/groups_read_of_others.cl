// A group reads what the group before it writes.
// run: k 16/4
// global: int 16 = iota
// expect: data-race 9
// says: so no group can read what another one writes in the same launch
__kernel void k(__global int* values) {
    const size_t group = get_group_id(0);
    if (group > 0)
        values[get_global_id(0)] += values[group * get_local_size(0) - 1];
}
