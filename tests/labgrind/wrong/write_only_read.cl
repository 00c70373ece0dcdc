// run: t 256/64
// global: float 256 = iota
// write-only: float 256
// expect: reads-write-only 7
// says: out[0] is read at line 7, but the host created its buffer with CL_MEM_WRITE_ONLY
__kernel void t(__global const float* in, __global float* out) {
    out[get_global_id(0)] += in[get_global_id(0)];
}
