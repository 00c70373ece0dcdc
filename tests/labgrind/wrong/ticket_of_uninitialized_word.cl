// The word that counts the tickets is uninitialized, so the index that follows from it is, too.
// run: take 16/4
// global: int 16 = 0
// global: uint 1 = unwritten
// expect: uninitialised 9
// never: out of bounds
__kernel void take(__global int* x, __global uint* tickets) {
    __local uint ticket;
    if (get_local_id(0) == 0) ticket = atomic_inc(tickets);
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_local_size(0) * ticket + get_local_id(0)] = 1;
}
