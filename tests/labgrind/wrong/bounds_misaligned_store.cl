// Between the float4 of two work-items is a float.
// run: spread 6/3
// local: float 15
// global: float 12 = 0
// expect: misaligned 10
// says: writes 16 bytes

__kernel void spread(__local float* temp, __global float* result) {
    const size_t lid = get_local_id(0);
    *(__local float4*)(temp + 5 * lid) = (float4)(lid);
    barrier(CLK_LOCAL_MEM_FENCE);
    result[get_global_id(0)] = temp[lid];
}
