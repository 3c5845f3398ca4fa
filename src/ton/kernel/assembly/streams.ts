/**
 * The columns as byte streams in ClickHouse's Native form (see column-streams.ts), and the rows of their tables.
 * Fixed-width streams are zero after the last complete row: a phase that did not happen writes nothing.
 */
import { STREAM_COUNT, STREAM_TABLES, STREAM_WIDTHS, TABLE_COUNT } from '../build/columns';
import { moveBytes } from './move-bytes';

/** By stream: address, bytes in use (only of streams without a width), capacity, and the bytes at the mark. */
const STREAMS: usize = memory.data(STREAM_COUNT * 16, 16);
/** By table: rows, capacity in rows, and the rows at the mark. */
const TABLES: usize = memory.data(TABLE_COUNT * 12, 16);
const PADDING: usize = 64;
const FIRST_ROWS: i32 = 64;
const FIRST_BYTES: usize = 1024;

@inline
function stream(index: i32): usize {
  return STREAMS + ((<usize>index) << 4);
}
@inline
function table(index: i32): usize {
  return TABLES + <usize>(index * 12);
}
@inline
function widthOf(index: i32): usize {
  return <usize>load<u8>(STREAM_WIDTHS + <usize>index);
}

export function streamStart(index: i32): usize {
  return load<u32>(stream(index));
}

/** Bytes of all rows so far. */
export function streamSize(index: i32): usize {
  const width = widthOf(index);
  if (width == 0) return load<u32>(stream(index), 4);
  return <usize>rows(<i32>load<u8>(STREAM_TABLES + <usize>index)) * width;
}

/** Complete rows of a table; the one being written has this number. */
@inline
export function rows(index: i32): i32 {
  return load<i32>(table(index));
}

/** Makes sure of room for one more row and gives its number. */
export function beginRow(index: i32): i32 {
  const row = rows(index);
  if (row == load<i32>(table(index), 4)) enlarge(index, row);
  return row;
}

@inline
export function endRow(index: i32): void {
  store<i32>(table(index), rows(index) + 1);
}

function enlarge(index: i32, used: i32): void {
  const capacity = used == 0 ? FIRST_ROWS : used * 2;
  for (let i = 0; i < STREAM_COUNT; i++) {
    const width = widthOf(i);
    if (<i32>load<u8>(STREAM_TABLES + <usize>i) != index || width == 0) continue;
    const old = load<u32>(stream(i));
    const size = <usize>capacity * width;
    const start = old == 0 ? heap.alloc(size + PADDING) : heap.realloc(old, size + PADDING);
    const kept = <usize>used * width;
    memory.fill(start + kept, 0, size - kept);
    store<u32>(stream(i), <u32>start);
  }
  store<i32>(table(index), capacity, 4);
}

/** Address of a value: stream and width must fit each other. */
@inline
export function place(index: i32, row: i32, width: i32): usize {
  return <usize>load<u32>(stream(index)) + <usize>(row * width);
}
@inline
export function put8(index: i32, row: i32, value: u32): void {
  store<u8>(place(index, row, 1), <u8>value);
}
@inline
export function put16(index: i32, row: i32, value: u32): void {
  store<u16>(place(index, row, 2), <u16>value);
}
@inline
export function put32(index: i32, row: i32, value: u32): void {
  store<u32>(place(index, row, 4), value);
}
@inline
export function put64(index: i32, row: i32, value: u64): void {
  store<u64>(place(index, row, 8), value);
}
@inline
export function put128(index: i32, row: i32, from: usize): void {
  v128.store(place(index, row, 16), v128.load(from));
}
@inline
export function putHash(index: i32, row: i32, from: usize): void {
  const to = place(index, row, 32);
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

/** Room for `size` more bytes in a stream without a width; gives the address. `advance` counts them. */
export function room(index: i32, size: usize): usize {
  const at = stream(index);
  const used = <usize>load<u32>(at, 4);
  if (used + size > <usize>load<u32>(at, 8)) enlargeBytes(at, used + size);
  return <usize>load<u32>(at) + used;
}

@inline
export function advance(index: i32, size: usize): void {
  const at = stream(index);
  store<u32>(at, load<u32>(at, 4) + <u32>size, 4);
}

function enlargeBytes(at: usize, needed: usize): void {
  const old = load<u32>(at);
  let capacity = max<usize>(<usize>load<u32>(at, 8) * 2, FIRST_BYTES);
  while (capacity < needed) capacity *= 2;
  store<u32>(at, <u32>(old == 0 ? heap.alloc(capacity + PADDING) : heap.realloc(old, capacity + PADDING)));
  store<u32>(at, <u32>capacity, 8);
}

/** Writes the length of a String's value (LEB128) and makes room for it; gives the address for its bytes. */
export function beginString(index: i32, size: usize): usize {
  let to = room(index, size + 5);
  const from = to;
  let rest = size;
  for (; rest > 0x7f; rest >>= 7) store<u8>(to++, <u8>(rest | 0x80));
  store<u8>(to++, <u8>rest);
  advance(index, to - from + size);
  return to;
}

export function putString(index: i32, from: usize, size: usize): void {
  moveBytes(beginString(index, size), from, size);
}

/** Remembers the present end of all tables. */
export function markStreams(): void {
  for (let i = 0; i < STREAM_COUNT; i++) store<u32>(stream(i), load<u32>(stream(i), 4), 12);
  for (let i = 0; i < TABLE_COUNT; i++) store<i32>(table(i), rows(i), 8);
}

/** Back to what was remembered; an unfinished row goes too. */
export function rollbackStreams(): void {
  for (let i = 0; i < STREAM_COUNT; i++) {
    const at = stream(i);
    store<u32>(at, load<u32>(at, 12), 4);
    const width = widthOf(i);
    const ofTable = table(<i32>load<u8>(STREAM_TABLES + <usize>i));
    const from = load<i32>(ofTable, 8);
    const to = min<i32>(load<i32>(ofTable) + 1, load<i32>(ofTable, 4));
    if (width != 0 && to > from) {
      memory.fill(<usize>load<u32>(at) + <usize>from * width, 0, <usize>(to - from) * width);
    }
  }
  for (let i = 0; i < TABLE_COUNT; i++) store<i32>(table(i), load<i32>(table(i), 8));
}

/** Drops all rows; the memory stays. */
export function clearStreams(): void {
  for (let i = 0; i < STREAM_COUNT; i++) store<u32>(stream(i), 0, 12);
  for (let i = 0; i < TABLE_COUNT; i++) store<i32>(table(i), 0, 8);
  rollbackStreams();
}
