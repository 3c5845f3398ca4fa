/** One parsed bag of cells: arrays by cell index. The block's bytes start at `INPUT.start`. */
import { Area } from '../area';

export const ORDINARY: u8 = 0;
export const PRUNED: u8 = 1;
export const LIBRARY: u8 = 2;
export const MERKLE_PROOF: u8 = 3;
export const MERKLE_UPDATE: u8 = 4;
/** References on the longest path down. */
export const MAX_DEPTH: u32 = 1024;

export const INPUT = new Area();
export let inputSize: usize = 0;
export let cellCount: i32 = 0;
export let rootCell: i32 = 0;

/** Address of a cell's data. */
let dataOf: usize = 0;
/** References, exotic bit (8), level mask (from bit 5): the first descriptor without the flag for stored hashes. */
let descriptorOf: usize = 0;
/** Bits of data without the completion tag. */
let bitsOf: usize = 0;
let typeOf: usize = 0;
let wholeOf: usize = 0;
/** Four a cell. */
let refsOf: usize = 0;

const CELLS = new Area();
let capacity: i32 = 0;

/** Bytes a cell in the arrays of this file. */
const BYTES_A_CELL: usize = 16 + 4 + 2 + 1 + 1 + 1;

/** Makes room for the input and returns its address for the host. */
export function reserveInput(size: usize): usize {
  inputSize = size;
  return INPUT.reserve(size);
}

/** Makes room for `count` cells; what they hold is undefined. */
export function reserveCells(count: i32, root: i32): void {
  cellCount = count;
  rootCell = root;
  if (count <= capacity) return;
  capacity = 0;
  const room = count + (count >> 2);
  refsOf = CELLS.reserve(<usize>room * BYTES_A_CELL);
  capacity = room;
  dataOf = refsOf + ((<usize>capacity) << 4);
  bitsOf = dataOf + ((<usize>capacity) << 2);
  descriptorOf = bitsOf + ((<usize>capacity) << 1);
  typeOf = descriptorOf + <usize>capacity;
  wholeOf = typeOf + <usize>capacity;
}

@inline
export function data(cell: i32): usize {
  return load<u32>(dataOf + ((<usize>cell) << 2));
}
@inline
export function setData(cell: i32, at: usize): void {
  store<u32>(dataOf + ((<usize>cell) << 2), <u32>at);
}
@inline
export function bitLength(cell: i32): i32 {
  return <i32>load<u16>(bitsOf + ((<usize>cell) << 1));
}
@inline
export function setBitLength(cell: i32, bits: i32): void {
  store<u16>(bitsOf + ((<usize>cell) << 1), <u16>bits);
}
@inline
export function descriptor(cell: i32): u32 {
  return <u32>load<u8>(descriptorOf + <usize>cell);
}
@inline
export function setDescriptor(cell: i32, value: u32): void {
  store<u8>(descriptorOf + <usize>cell, <u8>value);
}
@inline
export function refCount(cell: i32): i32 {
  return <i32>(descriptor(cell) & 7);
}
@inline
export function levelMask(cell: i32): u32 {
  return descriptor(cell) >>> 5;
}
@inline
export function cellType(cell: i32): u8 {
  return load<u8>(typeOf + <usize>cell);
}
@inline
export function setCellType(cell: i32, type: u8): void {
  store<u8>(typeOf + <usize>cell, type);
}
/** No pruned branch is in the cell's tree. */
@inline
export function isComplete(cell: i32): bool {
  return load<u8>(wholeOf + <usize>cell) != 0;
}
@inline
export function setWhole(cell: i32, whole: u32): void {
  store<u8>(wholeOf + <usize>cell, <u8>whole);
}
/** The address of a cell's four places for references. */
@inline
export function refsAt(cell: i32): usize {
  return refsOf + ((<usize>cell) << 4);
}
@inline
export function refAt(cell: i32, k: i32): i32 {
  return load<i32>(refsAt(cell) + ((<usize>k) << 2));
}
/** Second descriptor for a number of bits: twice the whole bytes, plus one if a last byte is partly used. */
@inline
export function bitsDescriptor(bits: i32): u32 {
  return <u32>((bits >> 3) + ((bits + 7) >> 3));
}
