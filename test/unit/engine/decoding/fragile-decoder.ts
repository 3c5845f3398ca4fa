/**
 * A decoder for the threads of the pool: the product's own, which dies in one of several ways at the given records.
 * Loaded by decode-worker.ts instead of kernel-decoder.ts.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { ChunkRecord, DecodeRecords } from '../../../../src/engine/decoding/chunk.ts';
import {
  createDecoder as createReal,
  type KernelDecoderOptions,
} from '../../../../src/projections/records/kernel-decoder.ts';

export type Death = 'exit' | 'throw' | 'hang' | 'memory' | 'trap';

export interface FragileOptions {
  readonly real: KernelDecoderOptions;
  /** The way in which the decoder dies of each of these records, by the record's key. */
  readonly deaths: Readonly<Record<string, Death>>;
  /** Records that are deadly only if this file has no line with their key yet: each adds one. */
  readonly once?: string;
}

interface TestedExports {
  decodeBlock(): void;
  crc32c(from: number, size: number): number;
}

/** Set before a block whose decoding is to fall over a trap of the WebAssembly. */
let isTrapSet = false;

/** Every instance from now on runs into a real trap, a read outside its memory, when that is asked for. */
function plantTraps(): void {
  const api = (
    globalThis as unknown as {
      WebAssembly: { Instance: new (...all: never[]) => { exports: TestedExports } };
    }
  ).WebAssembly;
  const Real = api.Instance;
  api.Instance = class {
    readonly exports: TestedExports;
    constructor(...all: never[]) {
      const real = new Real(...all).exports;
      const decodeBlock = () => {
        if (isTrapSet) {
          isTrapSet = false;
          real.crc32c(0xffff_0000, 0x1000);
        }
        real.decodeBlock();
      };
      this.exports = { ...real, decodeBlock };
    }
  };
}

function die(death: Death, key: string): void {
  if (death === 'exit') process.exit(3);
  if (death === 'throw') throw new TypeError(`${key} is not to my taste`);
  if (death === 'trap') isTrapSet = true;
  if (death === 'hang') for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
  const kept: number[][] = [];
  while (death === 'memory') kept.push(Array.from({ length: 100_000 }, (_, i) => i * 1.5 + kept.length));
}

export async function createDecoder({ real, deaths, once }: FragileOptions): Promise<DecodeRecords> {
  plantTraps();
  const decode = await createReal(real);
  const isDeadly = ({ key }: ChunkRecord): boolean => {
    if (deaths[key] === undefined) return false;
    if (once === undefined) return true;
    const isKnown = existsSync(once) && readFileSync(once, 'utf8').split('\n').includes(key);
    appendFileSync(once, `${key}\n`);
    return !isKnown;
  };
  return (records, spare) => {
    for (const record of records) if (isDeadly(record)) die(deaths[record.key] as Death, record.key);
    return decode(records, spare);
  };
}
