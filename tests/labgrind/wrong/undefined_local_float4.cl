// run: t 256/64
// global: float 256 = iota
// local: char 1024
// global: float 256 = 0
// expect: uninitialised 13
__kernel void t(__global float* data, __local float4* q, __global float* out) {
    const int lid = get_local_id(0), gid = get_global_id(0), n = get_local_size(0),
              grp = get_group_id(0);
    q[lid].x = data[gid];
    q[lid].y = 0;
    q[lid].z = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = q[63 - lid];
    out[gid] = v.x + v.y + v.z + v.w;
}
