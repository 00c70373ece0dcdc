// run: t 256/64
// global: int 256 = iota
// global: int 16 = 0
// global: int 16 = 0
// expect: endless-loop 8
__kernel void t(__global int* data, volatile __global int* m, volatile __global int* s) {
    if (get_local_id(0) == 0) {
        while (m[1] == 0)
            ;
        s[get_group_id(0)] = data[0];
    }
}
