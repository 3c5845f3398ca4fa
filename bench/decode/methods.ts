import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import type { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { decodeBlock, type VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import type { Kernel } from '../../src/ton/kernel/kernel.ts';
import { decodeOptions, type Job } from './corpus.ts';

/** Blocks are moved out of the kernel when so many bytes of them have been decoded. */
const BATCH_BYTES = 1 << 20;

export function byReader(jobs: readonly Job[], columns: BaseColumns, verify: VerifyLevel): void {
  for (const { bytes, meta } of jobs) decodeBlock(bytes, meta, columns, decodeOptions(verify));
}

export function byKernel(
  kernel: Kernel,
  jobs: readonly Job[],
  columns: BaseColumns,
  verify: VerifyLevel,
): void {
  let size = 0;
  for (const { bytes, meta } of jobs) {
    kernel.add(bytes, meta, decodeOptions(verify));
    size += bytes.length;
    if (size < BATCH_BYTES) continue;
    kernel.drainInto(columns);
    size = 0;
  }
  kernel.drainInto(columns);
}

/** One buffer for all Native bytes, as a program would keep one. */
export class NativeOutput {
  private bytes = new Uint8Array(1 << 20);
  length = 0;

  write(columns: BaseColumns): void {
    this.length = 0;
    for (const table of Object.values(columns.tables)) {
      if (table.rows === 0) continue;
      for (const part of encodeNativeBlock(table)) this.append(part);
    }
  }

  private append(part: Uint8Array): void {
    const end = this.length + part.length;
    if (end > this.bytes.length) {
      const larger = new Uint8Array(end * 2);
      larger.set(this.bytes.subarray(0, this.length));
      this.bytes = larger;
    }
    this.bytes.set(part, this.length);
    this.length = end;
  }
}
