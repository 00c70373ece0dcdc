// run: nb 64/16
// global: float4 64 = iota
// global: float4 64 = 0
// expect: uninitialised 9
__kernel void nb(__global const float4* pos, __global float4* acc) {
    const int i = get_global_id(0);
    float4 a;
    for (int j = 0; j < 64; j++)
        a += pos[j] - pos[i];
    acc[i] = a;
}
