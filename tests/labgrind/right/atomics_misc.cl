// run: k 256/64
// global: int 7 = 0
// global: uint 1 = 0
// expect: nothing
__kernel void k(__global int* a, __global uint* b) {
    __local uint m;
    int g = get_global_id(0);
    if (get_local_id(0) == 0)
        m = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_min(a, -g);
    atomic_max(a + 1, g);
    atomic_xor(a + 2, 1);
    atomic_or(a + 3, 1 << (g % 31));
    atomic_and(a + 4, ~(1 << (g % 31)));
    atomic_sub(a + 5, 1);
    atomic_dec(a + 6);
    atom_add(&m, 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atom_max(b, m);
}
