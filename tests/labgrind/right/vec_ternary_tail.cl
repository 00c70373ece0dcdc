// run: k 64/64
// global: float 256 = iota
// global: float 256 = 0
// expect: nothing
__kernel void k(__global const float* d, __global float* o) {
    __local float s[260];
    int l = get_local_id(0);
    vstore4(vload4(l, d), l, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    int4 at = (int4)(4 * l) + (int4)(0, 1, 2, 3) + 4;
    float4 n = vload4(l + 1, s); /* the last item's lanes are not written */
    float4 v = at < 256 ? n : (float4)(0);
    vstore4(v, l, o);
}
