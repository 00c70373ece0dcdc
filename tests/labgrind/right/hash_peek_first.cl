// run: k 256/64
// global: uint 128 = 0
// global: int 128 = 0
// expect: nothing
__kernel void k(volatile __global uint* keys, volatile __global int* counts) {
    uint key = (get_global_id(0) % 60) + 1;
    uint h = key * 40503u % 128;
    for (int probes = 0; probes < 128; probes++, h = (h + 1) % 128) {
        uint seen = keys[h];
        if (seen == 0)
            seen = atomic_cmpxchg(&keys[h], 0u, key);
        if (seen == 0 || seen == key) {
            atomic_inc(&counts[h]);
            break;
        }
    }
}
