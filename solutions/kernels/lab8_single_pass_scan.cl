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
    // [student] publish, write both words of the tile, each with an atomic_xchg
    const uint bits = as_uint(value);
    atomic_xchg(&state[1 + 2 * tile], (status << 16) | (bits >> 16));
    atomic_xchg(&state[2 + 2 * tile], (status << 16) | (bits & 0xFFFFu));
    // [end]
}

// Returns the status of a tile, and its value if it has one. Two words that are not from the same
// publish() have no status bit in common, so they count as EMPTY.
uint look_at(volatile __global const uint* state, uint tile, TYPE* value) {
    uint status = EMPTY;

    // [student] look_at, read both words of the tile once, put the value together,
    // | and take the status, or EMPTY if the words do not have the same one
    const uint upper = state[1 + 2 * tile];
    const uint lower = state[2 + 2 * tile];
    *value = AS_TYPE((upper << 16) | (lower & 0xFFFFu));
    status = (upper & lower) >> 16;
    // [end]
    return status;
}
// [left out]

// The sum of the elements from `first` up to, but not including, `end`. Adds four at a time.
TYPE sum_of(__global const TYPE* data, size_t first, size_t end) {
    TYPE4 sums = 0;
    size_t i = first;
    for (; i + 4 <= end; i += 4)
        sums += vload4(0, data + i);
    TYPE sum = (sums.x + sums.y) + (sums.z + sums.w);
    for (; i < end; ++i)
        sum += data[i];
    return sum;
}

// The inclusive scan of four elements, in two steps as in lab 4.
TYPE4 scan_of(TYPE4 v) {
    v += (TYPE4)(0, v.xyz);
    v += (TYPE4)(0, 0, v.xy);
    return v;
}

// Scans the elements from `first` to `end`; `before` is the sum of all elements before them.
void scan_items(__global const TYPE* data, __global TYPE* result, size_t first, size_t end,
                TYPE before) {
    size_t i = first;
    for (; i + 4 <= end; i += 4) {
        const TYPE4 scanned = scan_of(vload4(0, data + i));
        vstore4(before + scanned, 0, result + i);
        before += scanned.w;
    }
    for (; i < end; ++i) {
        before += data[i];
        result[i] = before;
    }
}

// The value of an earlier tile. Waits for a group that already runs, but not forever: after as
// many looks as the tile has elements, it adds up the elements itself.
TYPE value_of(volatile __global const uint* state, __global const TYPE* data, uint tile,
              size_t tile_size, uint* status) {
    TYPE value = 0;
    *status = EMPTY;
    for (size_t looks = 0; *status == EMPTY && looks < tile_size; ++looks)
        *status = look_at(state, tile, &value);
    if (*status == EMPTY)
        value = sum_of(data, tile * tile_size, (tile + 1) * tile_size);
    return value;
}
// [end]

// Returns the sum of all elements before a tile; one work-item calls it.
TYPE look_back(volatile __global const uint* state, __global const TYPE* data, uint tile,
               size_t tile_size) {
    TYPE sum = 0;

    // [student] look_back, add up what the tiles before this one have published,
    // | from the nearest one on, until one of them has a PREFIX. Wait for a tile that is EMPTY.
    uint status = EMPTY;
    for (uint before = tile; before > 0 && status != PREFIX; --before)
        sum += value_of(state, data, before - 1, tile_size, &status);
    // [end]
    return sum;
}

// The inclusive scan of one value of each work-item. Returns a pointer to it: element i is the sum
// of the values of work-items 0 to i. temp has two elements for each work-item: a step reads one
// half and writes the other, so it needs only one barrier.
__local TYPE* scan_group(TYPE mine, __local TYPE* temp) {
    __local TYPE* from = temp;

    // [student] scan_group, the scan of lab 4 in local memory
    const size_t lid = get_local_id(0);
    const size_t group_size = get_local_size(0);
    __local TYPE* to = temp + group_size;

    from[lid] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);

    // POCL compiles all that follows a `for` with barriers twice: once for the case that no step is
    // made. A `do` always makes one; in a group of one work-item it copies the value.
    size_t distance = 1;
    do {
        to[lid] = lid >= distance ? from[lid - distance] + from[lid] : from[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local TYPE* const written = to;
        to = from;
        from = written;
        distance *= 2;
    } while (distance < group_size);
    // [end]
    return from;
}

__kernel void single_pass_scan(__global const TYPE* data, __global TYPE* result, uint n, uint items,
                               volatile __global uint* state, __local TYPE* temp) {
    // [student] single_pass_scan
    // | 1. One work-item takes a ticket, atomic_inc(&state[0]), and shares the tile number.
    // | 2. Each work-item adds up its items. Do not read past the end of the data.
    // | 3. scan_group() scans these sums; the last result is the sum of the tile.
    // | 4. One work-item publishes the sum of the tile, looks back, publishes the tile's prefix, and
    // |    shares the sum of all tiles before it.
    // | 5. Each work-item scans its items, starting from the sum of all elements before them.
    __local uint shared_tile;
    __local TYPE shared_sum;
    const size_t lid = get_local_id(0);
    const size_t group_size = get_local_size(0);

    if (lid == 0)
        shared_tile = atomic_inc(&state[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = shared_tile;

    const size_t first = min((tile * group_size + lid) * items, (size_t)n);
    const size_t end = min(first + items, (size_t)n);
    __local const TYPE* sums = scan_group(sum_of(data, first, end), temp);

    if (lid == 0) {
        const TYPE aggregate = sums[group_size - 1];
        TYPE before = 0;
        if (tile > 0) {
            publish(state, tile, AGGREGATE, aggregate);
            before = look_back(state, data, tile, group_size * items);
        }
        publish(state, tile, PREFIX, before + aggregate);
        shared_sum = before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const TYPE before = lid > 0 ? shared_sum + sums[lid - 1] : shared_sum;
    scan_items(data, result, first, end, before);
    // [end]
}
// [left out]

// The same for GPUs. Each work-item keeps 4 * VECTORS elements in registers, so global memory is read
// once. Neighboring work-items have neighboring vectors, which GPUs load together: work-item l has
// the vectors l, l + group size, l + 2 * group size, ... of the tile.
#define VECTORS 8

// The number of tiles that a group looks at together, with as many work-items.
#define WINDOW 8

// Element i of an array in local memory is at PLACE(i): the gaps spread elements over the banks.
#define PLACE(i) ((i) + (i) / 32)

// The vector that begins at element i of the last tile. Beyond the end it repeats the last element:
// that changes no element before the end.
TYPE4 load_part(__global const TYPE* data, size_t i, size_t last) {
    return (TYPE4)(data[min(i, last)], data[min(i + 1, last)], data[min(i + 2, last)],
                   data[min(i + 3, last)]);
}

void store_part(TYPE4 v, __global TYPE* result, size_t i, uint n) {
    if (i < n)
        result[i] = v.x;
    if (i + 1 < n)
        result[i + 1] = v.y;
    if (i + 2 < n)
        result[i + 2] = v.z;
    if (i + 3 < n)
        result[i + 3] = v.w;
}

// look_back() by the whole group: WINDOW work-items look at as many tiles, and then all
// work-items add up what these have found. windows and statuses have two halves in turn, so that a
// round needs only one barrier.
TYPE look_back_together(volatile __global const uint* state, __global const TYPE* data, uint tile,
                        size_t tile_size, __local TYPE* windows, __local uint* statuses) {
    const uint lid = get_local_id(0);
    TYPE sum = 0;
    uint side = 0;
    for (uint left = tile; left > 0;) {
        const uint count = min(left, min((uint)WINDOW, (uint)get_local_size(0)));
        if (lid < count) {
            uint status;
            windows[side + lid] = value_of(state, data, left - 1 - lid, tile_size, &status);
            statuses[side + lid] = status;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        left -= count;
        for (uint i = 0; i < count; ++i) {
            sum += windows[side + i];
            if (statuses[side + i] == PREFIX) {
                left = 0;
                break;
            }
        }
        side = WINDOW - side;
    }
    return sum;
}

__kernel void scan_in_registers(__global const TYPE* data, __global TYPE* result, uint n,
                                uint items, volatile __global uint* state, __local TYPE* temp) {
    __local uint shared_tile;
    __local TYPE windows[2 * WINDOW];
    __local uint statuses[2 * WINDOW];
    const size_t lid = get_local_id(0);
    const size_t group_size = get_local_size(0);
    __local TYPE* vector_sums = temp + 2 * group_size; // VECTORS for each work-item

    if (lid == 0)
        shared_tile = atomic_inc(&state[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = shared_tile;
    const size_t tile_size = 4 * VECTORS * group_size;
    const size_t begin = tile * tile_size;
    const bool is_full = begin + tile_size <= n;

    // An array stays in registers only if the compiler knows all its indices: hence the pragmas.
    TYPE4 mine[VECTORS];
    if (is_full) {
        __global const TYPE4* vectors = (__global const TYPE4*)(data + begin);
#pragma unroll
        for (uint k = 0; k < VECTORS; ++k)
            mine[k] = vectors[k * group_size + lid];
    } else {
#pragma unroll
        for (uint k = 0; k < VECTORS; ++k)
            mine[k] = load_part(data, begin + 4 * (k * group_size + lid), n - 1);
    }
#pragma unroll
    for (uint k = 0; k < VECTORS; ++k) {
        mine[k] = scan_of(mine[k]);
        vector_sums[PLACE(k * group_size + lid)] = mine[k].w;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // From here on work-item l has the sums of VECTORS vectors side by side.
    TYPE sum = 0;
    for (uint k = 0; k < VECTORS; ++k)
        sum += vector_sums[PLACE(lid * VECTORS + k)];
    __local const TYPE* sums = scan_group(sum, temp);
    const TYPE aggregate = sums[group_size - 1];

    if (lid == 0)
        publish(state, tile, tile == 0 ? PREFIX : AGGREGATE, aggregate);
    const TYPE before_tile = look_back_together(state, data, tile, tile_size, windows, statuses);
    if (lid == 0 && tile > 0)
        publish(state, tile, PREFIX, before_tile + aggregate);

    // Each of these sums becomes the sum of all elements before its vector.
    TYPE before = lid > 0 ? before_tile + sums[lid - 1] : before_tile;
    for (uint k = 0; k < VECTORS; ++k) {
        const TYPE here = vector_sums[PLACE(lid * VECTORS + k)];
        vector_sums[PLACE(lid * VECTORS + k)] = before;
        before += here;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

#pragma unroll
    for (uint k = 0; k < VECTORS; ++k)
        mine[k] += vector_sums[PLACE(k * group_size + lid)];
    if (is_full) {
        __global TYPE4* vectors = (__global TYPE4*)(result + begin);
#pragma unroll
        for (uint k = 0; k < VECTORS; ++k)
            vectors[k * group_size + lid] = mine[k];
    } else {
#pragma unroll
        for (uint k = 0; k < VECTORS; ++k)
            store_part(mine[k], result, begin + 4 * (k * group_size + lid), n);
    }
}
// [end]
