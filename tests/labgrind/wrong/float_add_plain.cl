// run: t 256/64
// global: float 256 = iota
// global: float 4 = 0
// expect: data-race 5
void add(volatile __global float* p, float v) { *p += v; }
__kernel void t(__global float* data, volatile __global float* s) {
    add(s, data[get_global_id(0)]);
}
