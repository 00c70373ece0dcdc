// run: k 65600/16
// global: int 65600 = 0
// expect: data-race 7
// says: Their global ids differ by 65536, and a ushort has only 65536 values
__kernel void k(__global int* values) {
    ushort gid = get_global_id(0);
    values[gid] = get_global_id(0);
}
