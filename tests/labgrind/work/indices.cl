// Numbers that say where or whether are no data, although they come out of memory.
// run: go 64/64
// global: int 64 = 0
// global: float 64 = 1
// global: float 64 = 0
// value: uint 64
// counts: additions 0

__kernel void go(__global const int* order, __global const float* data, __global float* output,
                 uint n) {
    __local uint group;
    if (get_local_id(0) == 0)
        group = order[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint base = group * get_local_size(0);
    uint i = base + get_local_id(0);
    for (uint step = 1; step < 4; step *= 2)
        i = (i + step * order[0]) % n;
    if (base + i < 2 * n)
        output[get_global_id(0)] = 2.0f * data[i];
}
