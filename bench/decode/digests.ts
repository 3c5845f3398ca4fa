import { createHash } from 'node:crypto';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import type { VerifyLevel } from '../../src/ton/decode/decode-block.ts';
import type { Kernel } from '../../src/ton/kernel/kernel.ts';
import type { Job } from './corpus.ts';
import { byKernel, byReader } from './methods.ts';
import type { PoolRate } from './pool-rate.ts';
import { byCore } from './ton-core.ts';

/** Checks that all methods yield the same: the columns of reader, kernel and pool are equal to the last byte. */
export async function digestsEqual(jobs: readonly Job[], kernel: Kernel, pool: PoolRate): Promise<boolean> {
  const reader = new BaseColumns();
  byReader(jobs, reader, 'tx');
  const levels: VerifyLevel[] = ['tx', 'root'];
  const byLevel = levels.map((verify) => {
    const columns = new BaseColumns();
    byKernel(kernel, jobs, columns, verify);
    return columns;
  });
  const others = [...byLevel, await pool.columns()];
  const sameColumns = others.every((columns) => digestOfAll(columns) === digestOfAll(reader));
  return sameColumns && digestOfColumns(reader) === digestByCore(jobs);
}

/** Hash and lt of every transaction, hashes of every message and body, in the order of the blocks. */
function digestByCore(jobs: readonly Job[]): string {
  const hashes: Buffer[] = [];
  const lts: Buffer[] = [];
  const messages: Buffer[] = [];
  const bodies: Buffer[] = [];
  for (const { bytes } of jobs) {
    byCore(bytes, ({ cell, transaction, messages: own }) => {
      const lt = Buffer.alloc(8);
      lt.writeBigUInt64LE(transaction.lt);
      hashes.push(cell.hash());
      lts.push(lt);
      messages.push(...own.map(({ hash }) => hash));
      bodies.push(...own.map(({ bodyHash }) => bodyHash));
    });
  }
  return digest([...hashes, ...lts, ...messages, ...bodies]);
}

function digestOfColumns({ tables }: BaseColumns): string {
  const { transactions, messages } = tables;
  const columns = [transactions.col.hash, transactions.col.lt, messages.col.hash, messages.col.body_hash];
  return digest(columns.flatMap((column) => column.parts()));
}

function digestOfAll({ tables }: BaseColumns): string {
  return digest(Object.values(tables).flatMap(({ columns }) => columns.flatMap((column) => column.parts())));
}

function digest(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
