// run: k 256/64
// global: uint 128 = 0
// global: int 128 = 0
// expect: nothing
__kernel void k(volatile __global uint* keys, volatile __global int* counts) {
    uint key = ((uint)get_global_id(0) * 2654435761u >> 26) + 1;
    uint h = key * 40503u % 128;
    while (true) {
        uint old = atomic_cmpxchg(&keys[h], 0u, key);
        if (old == 0u || old == key) {
            atomic_inc(&counts[h]);
            return;
        }
        h = (h + 1) & 127;
    }
}
