/** Transactions that public servers answered, made again from the cell that each answer carries. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { extTransaction, type StoredTransaction } from '../../src/api/v2/format/transaction.ts';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { CellHashes } from '../../src/ton/boc/cell-hashes.ts';
import { CellSlice } from '../../src/ton/boc/cell-slice.ts';
import { serializeCell } from '../../src/ton/boc/serialize.ts';
import type { PackedMessage } from '../../src/ton/columns/message-pack.ts';
import { MessageReader } from '../../src/ton/decode/message-reader.ts';
import { toBase64 } from '../../src/ton/hash/base64.ts';
import { loadTransaction } from '../../src/ton/tlb/transaction/transaction.ts';
import { describeWithData } from '../helpers/shared-data.ts';

interface Recorded {
  readonly data: string;
  readonly in_msg?: object;
  readonly out_msgs: readonly object[];
}

/** The stored transaction that the API formats, read from the cell of a transaction of the basechain. */
function storedOf(bag: Uint8Array): StoredTransaction {
  const boc = parseBoc(bag);
  const root = onlyRoot(boc);
  const hashes = new CellHashes(boc);
  const transaction = loadTransaction(new CellSlice(boc, root));
  const reader = new MessageReader(boc, hashes, 0);
  const messages: PackedMessage[] = transaction.outMsgs.map((cell) => ({
    direction: 'out',
    ...reader.read(cell),
  }));
  if (transaction.inMsg >= 0) messages.unshift({ direction: 'in', ...reader.read(transaction.inMsg) });
  const row = {
    workchain: 0,
    account: transaction.accountAddr.toHex().toUpperCase(),
    lt: `${transaction.lt}`,
    hash: toBase64(hashes.hash(root)),
    now: transaction.now,
    total_fees: `${transaction.totalFees.grams}`,
    storage_fees_collected: `${transaction.description.storage?.feesCollected ?? 0n}`,
    messages,
  };
  return { row, data: serializeCell(boc, root) };
}

/**
 * The recordings come from the older server (contract/v2-endpoints.md section 17): other tags, base64 of `message` in
 * lines of 76 characters, and some without `hash` and `extra_currencies` of messages. Bags are compared by their root's
 * hash: the node orders cells differently from the common client library, whose order we use.
 */
function comparable(value: unknown, key = ''): unknown {
  if (key === '@type') return String(value).replace(/^(raw|ext)\.(?=message|transaction)/, '');
  if (typeof value === 'string' && value.startsWith('te6cck'))
    return Cell.fromBase64(value).hash().toString('hex');
  if (key === 'message') return String(value).replaceAll('\n', '');
  if (Array.isArray(value)) return value.map((item) => comparable(item));
  if (typeof value !== 'object' || value === null) return value;
  // That server never gave the init state.
  const entries = Object.entries(value).filter(([name]) => name !== 'init_state');
  return Object.fromEntries(entries.map(([name, item]) => [name, comparable(item, name)]));
}

describeWithData('recorded transactions', (data) => {
  const folder = join(data, 'api-recordings/toncenter-v2');
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const recorded: [string, Recorded][] = [
    ...['olifanton/getTransactions.active0.json', 'olifanton/getTransactions.active2.json'].flatMap((file) =>
      (read(file).result as Recorded[]).map((item, index): [string, Recorded] => [`${file} ${index}`, item]),
    ),
    ...['olifanton/tryLocateTx.result.json', 'olifanton/tryLocateResultTx.result.json'].map(
      (file): [string, Recorded] => [file, read(file).result],
    ),
    ['docs/node_readme_1.json', read('docs/node_readme_1.json')],
  ];

  it('are enough to tell', () => {
    expect(recorded.length).toBeGreaterThan(10);
  });

  it.each(recorded)('%s', (_name, expected) => {
    const made = extTransaction(storedOf(Uint8Array.fromBase64(expected.data)));
    expect(comparable(made)).toMatchObject(comparable(expected) as object);
    expect('in_msg' in made).toBe('in_msg' in expected);
  });
});
