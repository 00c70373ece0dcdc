// run: k 256/64
// global: float 1024 = 0
// expect: nothing
__kernel void k(__global float* o) {
    float4 v;
    v.x = get_global_id(0);
    float4 one = (float4)(1), zero = (float4)(0);
    float4 a = v * one + zero; /* llvm.fmuladd */
    float4 b = sqrt(v * v);    /* any built-in by components */
    int4 e = convert_int4(v);
    int4 f = v >= zero;
    o[4 * get_global_id(0)] = a.x;
    o[4 * get_global_id(0) + 1] = b.x;
    o[4 * get_global_id(0) + 2] = e.x;
    o[4 * get_global_id(0) + 3] = f.x;
}
