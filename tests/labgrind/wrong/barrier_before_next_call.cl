// run: twice 8/8
// global: float 8 = iota
// local: float 8
// expect: data-race 11
// says: between line 11 and line 9 in the next call of first_of

// The second call stores before all work-items have read what the first one has stored.
float first_of(float mine, __local float* temp) {
    temp[get_local_id(0)] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    return temp[0];
}

__kernel void twice(__global float* values, __local float* temp) {
    const size_t gid = get_global_id(0);
    const float first = first_of(values[gid], temp);
    values[gid] = first_of(values[gid] + first, temp);
}
