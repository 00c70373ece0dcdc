// Build options: TYPE is float or uint, TYPE4 the vector of four of them, and AS_TYPE(bits) takes the
// bits of a uint as a TYPE. Ints are scanned as uint: only unsigned sums may wrap around in C.
//
// state[0] is the ticket: the number of tiles that groups have taken. Tile t has two more words,
// state[1 + 2 * t] and state[2 + 2 * t]. All of them are 0 when the kernel starts.

// The status of a tile: what it has published. AGGREGATE and PREFIX have no bit in common.
#define EMPTY 0u     // nothing yet
#define AGGREGATE 1u // the sum of its own elements
#define PREFIX 2u    // the sum of its own elements and of all elements before them

// Publishes the value of a tile. Each word has the status in its upper half and one half
// of the value in its lower half.
void publish(volatile __global uint* state, uint tile, uint status, TYPE value) {
    // not implemented yet: publish, write both words of the tile, each with an atomic_xchg
}

// Returns the status of a tile, and its value if it has one. Two words that are not from the same
// publish() have no status bit in common, so they count as EMPTY.
uint look_at(volatile __global const uint* state, uint tile, TYPE* value) {
    uint status = EMPTY;

    // not implemented yet: look_at, read both words of the tile once, put the value together,
    // and take the status, or EMPTY if the words do not have the same one
    return status;
}

// Returns the sum of all elements before a tile; one work-item calls it.
TYPE look_back(volatile __global const uint* state, __global const TYPE* data, uint tile,
               size_t tile_size) {
    TYPE sum = 0;

    // not implemented yet: look_back, add up what the tiles before this one have published,
    // from the nearest one on, until one of them has a PREFIX. Wait for a tile that is EMPTY.
    return sum;
}

// The inclusive scan of one value of each work-item. Returns a pointer to it: element i is the sum
// of the values of work-items 0 to i. temp has two elements for each work-item: a step reads one
// half and writes the other, so it needs only one barrier.
__local TYPE* scan_group(TYPE mine, __local TYPE* temp) {
    __local TYPE* from = temp;

    // not implemented yet: scan_group, the scan of lab 4 in local memory
    return from;
}

__kernel void single_pass_scan(__global const TYPE* data, __global TYPE* result, uint n, uint items,
                               volatile __global uint* state, __local TYPE* temp) {
    // not implemented yet: single_pass_scan
    // 1. One work-item takes a ticket, atomic_inc(&state[0]), and shares the tile number.
    // 2. Each work-item adds up its items. Do not read past the end of the data.
    // 3. scan_group() scans these sums; the last result is the sum of the tile.
    // 4. One work-item publishes the sum of the tile, looks back, publishes the tile's prefix, and
    //    shares the sum of all tiles before it.
    // 5. Each work-item scans its items, starting from the sum of all elements before them.
}
