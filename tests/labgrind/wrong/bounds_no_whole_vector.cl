// run: sum 2/2
// global: float 1 = iota
// global: float 2
// expect: out-of-bounds 8
// says: reads 16 bytes of data at line 8, but data has only 4, less than one element: does the kernel check how many elements there are
// never: smaller type
__kernel void sum(__global const float4* data, __global float* out) {
    const float4 v = data[0];
    out[get_global_id(0)] = v.x;
}
