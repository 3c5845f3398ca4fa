import { expect, it } from 'vitest';
import { packMessages, unpackMessages } from '../../src/ton/columns/message-pack.ts';
import { describeWithChain } from '../helpers/shared-data.ts';
import {
  coreMessageRows,
  coreTransactionRow,
  type PlainRow,
  plainRow,
  transactionCells,
} from './differential-core.ts';
import { decodeRows, type Rows, readBytes, sharedBlocks } from './facts-blocks.ts';

const OF_THE_BLOCK = ['mc_seqno', 'workchain', 'shard', 'seqno', 'messages', 'states'];
const OF_THE_OWNER = ['mc_seqno', 'tx_workchain', 'tx_account', 'tx_lt', 'tx_hash', 'tx_now', 'listed'];

function compareBlock(name: string, bytes: Uint8Array): { transactions: number; messages: number } {
  const rows = decodeRows(bytes, { verify: 'none', oldStatesBelowLt: 0n });
  const cells = transactionCells(bytes);
  const version = rows.blocks[0]?.gen_software_version ?? 0;
  expect(rows.transactions.length, name).toBe(cells.length);
  const ours = [...rows.messages];
  for (const [index, cell] of cells.entries()) {
    const row = rows.transactions[index] as Rows['transactions'][number];
    expect(plainRow(row, OF_THE_BLOCK), name).toStrictEqual(coreTransactionRow(cell));
    const expected = coreMessageRows(cell, version);
    const found = ours.splice(0, expected.length);
    expect(
      found.map((message) => plainRow(message, OF_THE_OWNER)),
      name,
    ).toStrictEqual(expected);
    for (const message of found) expectOwner(message, row);
    expectPack(row, found);
  }
  expect(ours, name).toHaveLength(0);
  return { transactions: cells.length, messages: rows.messages.length };
}

function expectOwner(message: Rows['messages'][number], owner: Rows['transactions'][number]): void {
  expect(message.tx_workchain).toBe(owner.workchain);
  expect(message.tx_account).toEqual(owner.account);
  expect(message.tx_lt).toBe(owner.lt);
  expect(message.tx_hash).toEqual(owner.hash);
  expect(message.tx_now).toBe(owner.now);
}

/** The pack equals the rows of `messages`, and packing it again gives the same bytes. */
function expectPack(row: Rows['transactions'][number], messages: Rows['messages']): void {
  const packed = unpackMessages(row.messages);
  expect(packMessages(packed).toHex()).toBe(row.messages.toHex());
  const asRows = packed.map((message) => ({
    side: message.direction,
    kind: message.kind,
    hash: message.hash.toHex(),
    hash_norm: message.hashNorm.toHex(),
    created_lt: message.createdLt,
    value: message.value,
    value_extra: message.valueExtra,
    fwd_fee: message.fwdFee,
    ihr_fee: message.ihrFee,
    import_fee: message.importFee,
    extra_flags: message.extraFlags,
    opcode: message.opcode,
    body_hash: message.bodyHash.toHex(),
    body: message.body.toHex(),
    init: message.init?.toHex() ?? '',
  }));
  const expected = messages.map((message) => {
    const row = plainRow(message, []);
    return Object.fromEntries(Object.keys(asRows[0] as PlainRow).map((key) => [key, row[key]]));
  });
  expect(asRows).toStrictEqual(expected);
}

describeWithChain(
  'differential: every transaction and message of the shared blocks against @ton/core',
  ({ data, isMainnet, ...counted }) => {
    const blocks = sharedBlocks(data);
    const sets = [...new Set(blocks.map((block) => block.name.split('/')[0] as string))];
    const seen = { transactions: 0, messages: 0 };

    it.each(sets)('%s', (set) => {
      for (const block of blocks.filter(({ name }) => name.startsWith(`${set}/`))) {
        const counts = compareBlock(block.name, readBytes(block.path));
        seen.transactions += counts.transactions;
        seen.messages += counts.messages;
      }
    });

    it('has compared all of them', () => {
      if (isMainnet) expect(seen).toEqual({ transactions: 4034, messages: 5653 });
      else expect(seen.transactions).toBe(counted.transactions);
    });
  },
);
