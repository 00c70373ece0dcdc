// run: diagonal 4x4/2x2
// global: int 4 = 0
// expect: data-race 6
__kernel void diagonal(__global int* sums) {
    if (get_local_id(0) == 0 && get_local_id(1) == 0)
        sums[get_group_id(0) + get_group_id(1)] = (int)get_group_id(0);
}
