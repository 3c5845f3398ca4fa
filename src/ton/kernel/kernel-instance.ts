/** The compiled kernel with its memory and its refusals. */

import { type BlockErrorCode, Contradiction } from '../decode/block-error.ts';
import { toHex } from '../hash/hex.ts';
import { KERNEL_WASM } from './kernel-wasm.ts';
import { type WasmModule, webAssembly } from './web-assembly.ts';

/** Exports of the kernel; addresses and sizes in bytes of its memory. */
export interface KernelExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly announcedHashes: { readonly value: number };
  readonly cellCount: { readonly value: number };
  readonly rootCell: { readonly value: number };
  reserveInput(size: number): number;
  announce(workchain: number, shard: bigint, seqno: number, mcSeqno: number): void;
  ask(level: number, oldStatesBelowLt: bigint, all: number, indexedFromLt: bigint): void;
  decodeBlock(): void;
  parse(): void;
  hashAll(): void;
  hashAtLevel(cell: number, level: number): number;
  depthAtLevel(cell: number, level: number): number;
  crc32c(from: number, size: number): number;
  rows(table: number): number;
  streamStart(stream: number): number;
  streamSize(stream: number): number;
  rollbackStreams(): void;
  clearStreams(): void;
}

/** The kernel stopped unexpectedly: no memory, or a bug in it. */
export class KernelFault extends Error {
  override readonly name = 'KernelFault';
}

/** In the order of the codes in assembly/refuse.ts. */
const CODES: readonly BlockErrorCode[] = [
  'boc',
  'cell',
  'merkle',
  'root_hash',
  'foreign_chain',
  'kind',
  'header',
  'transactions',
  'state',
  'value',
];

/**
 * Arguments of the host's functions, as assembly/refuse.ts declares them: the error code, the address of a text, the
 * cell (or -1) and the place in it, then both values or their addresses.
 */
type Refusal<V> = [code: number, what: number, where: number, at: number, expected: V, found: V];
type AmountRefusal = [code: number, what: number, where: number, expected: number, found: number];

let compiled: Promise<WasmModule> | null = null;

/** The kernel's module, which all kernels of a thread share. */
export function compileKernel(): Promise<WasmModule> {
  compiled ??= webAssembly.compile(Uint8Array.fromBase64(KERNEL_WASM));
  return compiled;
}

/** A kernel with memory of its own. */
export function instantiateKernel(module: WasmModule): KernelExports {
  let exports: KernelExports | null = null;
  const textAt = (at: number): string => readText((exports as KernelExports).memory.buffer, at);
  const say = ([code, what, where, at, expected, found]: Refusal<string>) => {
    const place = where < 0 ? '' : ` in cell ${where}`;
    const unit = code === 0 || code === 2 ? 'byte' : 'bit';
    const position = code <= 2 ? ` at ${unit} ${at}` : '';
    const values = `expected ${expected}, found ${found}`;
    throw new Contradiction(CODES[code] ?? 'unexpected', `${textAt(what)}${place}${position}: ${values}`);
  };
  const bytesAt = (at: number, size: number) =>
    new Uint8Array((exports as KernelExports).memory.buffer, at, size);
  const refuse = (...[code, what, where, at, expected, found]: Refusal<bigint>) =>
    say([code, what, where, at, wordText(expected), wordText(found)]);
  const refuseHash = (...[code, what, where, at, expected, found]: Refusal<number>) =>
    say([code, what, where, at, toHex(bytesAt(expected, 32)), toHex(bytesAt(found, 32))]);
  const refuseAmount = (...[code, what, where, expected, found]: AmountRefusal) =>
    say([code, what, where, 0, amountText(bytesAt(expected, 16)), amountText(bytesAt(found, 16))]);
  const abort = (message: number): never => {
    throw new KernelFault(message === 0 ? 'the kernel ran out of memory' : textAt(message));
  };
  const instance = new webAssembly.Instance(module, {
    host: { refuse, refuseHash, refuseAmount },
    env: { abort },
  });
  exports = instance.exports as unknown as KernelExports;
  return exports;
}

function wordText(word: bigint): string {
  const value = BigInt.asUintN(64, word);
  return `${value} (#${value.toString(16)})`;
}

/** The lowest byte first. */
function amountText(bytes: Uint8Array): string {
  return `${BigInt(`0x${toHex(bytes.toReversed())}`)}`;
}

/** A string of the kernel: UTF-16, its size in bytes before it. */
function readText(memory: ArrayBuffer, at: number): string {
  const size = new DataView(memory).getUint32(at - 4, true);
  return new TextDecoder('utf-16le').decode(new Uint8Array(memory, at, size));
}
