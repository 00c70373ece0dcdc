// run: t 64/64
// global: float 64 = iota
// global: float 64 = 0
// expect: out-of-bounds 8
// says: 1065353216 is the float 1 with its bits read as an int
__kernel void t(__global float* data, __global float* out) {
    const uint gid = get_global_id(0);
    out[gid] = data[as_uint(data[1])];
}
