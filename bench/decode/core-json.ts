import { Cell } from '@ton/core';
import type { CoreTransaction } from './ton-core.ts';

/** As JSON takes it: numbers as text, bytes and cells in hex. */
function plain(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Cell) return value.toBoc({ idx: false, crc32: true }).toString('hex');
  return value;
}

/** The transaction and its messages as lines of JSON: the usual output of programs. */
export function toJson({ cell, transaction, messages }: CoreTransaction): string {
  const { raw, inMessage, outMessages, ...fields } = transaction;
  const lines = messages.map(({ hash, bodyHash, message }) =>
    JSON.stringify({ hash: hash.toString('hex'), body_hash: bodyHash.toString('hex'), ...message }, plain),
  );
  const { stateUpdate, ...rest } = fields;
  const hashes = { hash: cell.hash().toString('hex'), state_before: stateUpdate.oldHash.toString('hex') };
  return `${JSON.stringify({ ...hashes, state_after: stateUpdate.newHash.toString('hex'), ...rest }, plain)}\n${lines.join('\n')}\n`;
}
