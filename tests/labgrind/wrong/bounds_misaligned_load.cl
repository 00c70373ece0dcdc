// Every second work-item reads a float2 that does not begin at a multiple of 8 bytes.
// run: pairs 8/4
// global: float 9 = iota
// global: float 8 = 0
// expect: misaligned 11
// says: reads 8 bytes starting at data[1], at line 11, but this address must be a multiple of 8 bytes
// says: vload2() can begin at any element

__kernel void pairs(__global const float* data, __global float* sums) {
    const size_t i = get_global_id(0);
    const float2 pair = *(__global const float2*)(data + i);
    sums[i] = pair.x + pair.y;
}
