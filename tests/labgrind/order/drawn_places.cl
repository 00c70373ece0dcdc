// The next work-item draws the next place; the value there does not depend on which one it is.
// run: twice 64/32
// global: int 64 = iota
// expect: nothing
__kernel void twice(__global int* values) {
    __local int next;
    if (get_local_id(0) == 0)
        next = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int place = atomic_inc(&next);
    values[get_group_id(0) * get_local_size(0) + place] *= 2;
}
