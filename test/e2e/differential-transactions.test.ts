import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { CellHashes } from '../../src/ton/boc/cell-hashes.ts';
import { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import { MessageReader } from '../../src/ton/decode/message-reader.ts';
import { writeMessageRow } from '../../src/ton/decode/message-row.ts';
import { writeTransactionRow } from '../../src/ton/decode/transaction-row.ts';
import { loadTransaction } from '../../src/ton/tlb/transaction/transaction.ts';
import { loadWholeCell } from '../../src/ton/tlb/whole-cell.ts';
import { describeWithData } from '../helpers/shared-data.ts';
import { coreMessageRows, coreTransactionRow, plainRow } from './differential-core.ts';
import { readBytes, readRows } from './facts-blocks.ts';

const HASH = new Uint8Array(32);
const NO_BYTES = new Uint8Array(0);
const META = { workchain: 0, shard: 1n << 63n, seqno: 1, rootHash: HASH, fileHash: HASH, mcSeqno: 1 };

describeWithData('differential: single transactions against @ton/core', (data) => {
  const folder = join(data, 'transactions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.boc'));

  it('knows them all', () => {
    expect(files).toHaveLength(69);
  });

  it.each(files)('%s', (file) => {
    const bytes = readBytes(join(folder, file));
    const boc = parseBoc(bytes);
    const root = onlyRoot(boc);
    const hashes = new CellHashes(boc);
    const columns = new BaseColumns();
    const transaction = loadWholeCell(boc, root, 'Transaction', loadTransaction);
    const owner = { mcSeqno: 1, workchain: 0, account: HASH, lt: 0n, hash: HASH, now: 0, indexedFromLt: 0n };
    const reader = new MessageReader(boc, hashes, 0);
    if (transaction.inMsg >= 0) {
      writeMessageRow(columns, owner, { direction: 'in', ...reader.read(transaction.inMsg) });
    }
    for (const cell of transaction.outMsgs) {
      writeMessageRow(columns, owner, { direction: 'out', ...reader.read(cell) });
    }
    const hashed = { transaction, hash: hashes.hash(root) };
    writeTransactionRow(columns, META, hashed, { messages: NO_BYTES, states: NO_BYTES });
    const rows = readRows(columns);
    const core = Cell.fromBoc(Buffer.from(bytes))[0] as Cell;
    const ofTheBlock = ['mc_seqno', 'workchain', 'shard', 'seqno', 'messages', 'states'];
    const ofTheOwner = ['mc_seqno', 'tx_workchain', 'tx_account', 'tx_lt', 'tx_hash', 'tx_now', 'listed'];
    expect(rows.transactions.map((row) => plainRow(row, ofTheBlock))).toStrictEqual([
      coreTransactionRow(core),
    ]);
    expect(rows.messages.map((row) => plainRow(row, ofTheOwner))).toStrictEqual(coreMessageRows(core, 0));
  });
});
