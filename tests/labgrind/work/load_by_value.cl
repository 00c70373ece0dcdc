// An argument that is a value: all but what sizes and the like take is loaded.
// run: go 64/64
// value: float16 1
// value: float16 1
// global: float 64 = 0
// counts: item-bytes 64

__kernel void go(float16 a, float16 b, __global float* output) {
    const uint i = get_global_id(0);
    output[i] = dot(a.lo.lo + a.hi.hi, b.lo.lo);
}
