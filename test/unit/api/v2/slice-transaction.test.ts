import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell, loadTransaction } from '@ton/core';
import { expect, it } from 'vitest';
import { BlockTransactions, TransactionCellError } from '../../../../src/api/v2/format/slice-transaction.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

interface Facts {
  readonly transactions: readonly { readonly hash: string; readonly account: string; readonly lt: string }[];
}

/** Facts of the blocks of a set by file name: one file for all, or one a block. */
function factsOf(folder: string): [string, Facts][] {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const names = readdirSync(folder);
  if (names.includes('facts.json')) return Object.entries(read('facts.json') as Record<string, Facts>);
  const single = names.filter((name) => name.endsWith('.facts.json'));
  return single.map((name) => [name.replace('.facts.json', '.boc'), read(name) as Facts]);
}

const accountOf = (address: string) => Uint8Array.fromHex(address.slice(address.indexOf(':') + 1));

describeWithData('BlockTransactions', (data) => {
  it.each(['mainnet-genesis-0001', 'mainnet-single', 'private-b', 'testnet'])(
    'cuts every transaction of %s out, with its hash',
    (set) => {
      const folder = join(data, 'blocks', set);
      const present = new Set(readdirSync(folder));
      let seen = 0;
      for (const [file, { transactions }] of factsOf(folder)) {
        if (!present.has(file)) continue;
        const block = new BlockTransactions(readFileSync(join(folder, file)));
        for (const { account, lt, hash } of transactions) {
          const key = { account: accountOf(account), lt: BigInt(lt) };
          const cell = Cell.fromBoc(Buffer.from(block.slice(key)))[0]!;
          expect(cell.hash().toString('hex')).toBe(hash);
          seen++;
        }
      }
      expect(seen).toBeGreaterThan(0);
    },
  );

  it('gives a bag that @ton/core reads as a transaction, in its own form', () => {
    const folder = join(data, 'blocks/mainnet-genesis-0001');
    const [, [file, facts]] = factsOf(folder).filter(([, { transactions }]) => transactions.length > 0);
    const block = new BlockTransactions(readFileSync(join(folder, file)));
    const { account, lt } = facts.transactions[0]!;
    const bytes = Buffer.from(block.slice({ account: accountOf(account), lt: BigInt(lt) }));
    const cell = Cell.fromBoc(bytes)[0]!;
    expect(loadTransaction(cell.asSlice()).lt).toBe(BigInt(lt));
    expect(bytes.equals(cell.toBoc({ idx: false, crc32: true }))).toBe(true);
    expect(bytes.toString('base64')).toMatch(/^te6cck/);
  });

  it('names what is missing', () => {
    const folder = join(data, 'blocks/mainnet-genesis-0001');
    const [[file, facts]] = factsOf(folder).filter(([, { transactions }]) => transactions.length > 0);
    const block = new BlockTransactions(readFileSync(join(folder, file)));
    const account = accountOf(facts.transactions[0]!.account);
    expect(() => block.slice({ account, lt: 1n })).toThrow(TransactionCellError);
    expect(() => block.slice({ account: new Uint8Array(32).fill(0xee), lt: 1n })).toThrow(
      'the account is not',
    );
  });
});
