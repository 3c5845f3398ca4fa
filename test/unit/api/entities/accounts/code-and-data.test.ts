import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell } from '@ton/core';
import { expect, it } from 'vitest';
import { codeAndData } from '../../../../../src/api/entities/accounts/code-and-data.ts';
import { describeWithData } from '../../../../helpers/shared-data.ts';

interface Facts {
  readonly kind: string;
  readonly code_hash: string | null;
  readonly data_hash: string | null;
}

const base64 = (hex: string | null) => Buffer.from(hex ?? '', 'hex').toString('base64');
const hashOf = (bag: Uint8Array) =>
  bag.length === 0 ? null : Cell.fromBoc(Buffer.from(bag))[0]!.hash().toString('hex');

describeWithData('codeAndData', (data) => {
  const facts: Record<string, Facts> = JSON.parse(readFileSync(join(data, 'accounts/facts.json'), 'utf8'));
  const accounts = Object.entries(facts)
    .filter(([, { kind, code_hash, data_hash }]) => kind === 'account' && code_hash && data_hash)
    .map(([name, { code_hash, data_hash }]) => ({
      bytes: readFileSync(join(data, 'accounts', `${name}.boc`)),
      code_hash,
      data_hash,
      wanted: { code_hash: base64(code_hash), data_hash: base64(data_hash) },
    }));

  it('have the hashes that the account states', () => {
    expect(accounts.length).toBeGreaterThan(20);
    for (const { bytes, wanted, code_hash, data_hash } of accounts) {
      const found = codeAndData([bytes], wanted);
      expect([hashOf(found.code), hashOf(found.data)]).toEqual([code_hash, data_hash]);
    }
  });

  it('are empty if no cell has the hash in the state', () => {
    const other = base64('11'.repeat(32));
    const found = codeAndData([accounts[0]!.bytes], { code_hash: other, data_hash: other });
    expect([found.code.length, found.data.length]).toEqual([0, 0]);
  });

  it('may come from different cells', () => {
    const first = accounts[0]!;
    const second = accounts.find(({ code_hash }) => code_hash !== first.code_hash)!;
    const wanted = { code_hash: first.wanted.code_hash, data_hash: second.wanted.data_hash };
    const found = codeAndData([second.bytes, first.bytes], wanted);
    expect([hashOf(found.code), hashOf(found.data)]).toEqual([first.code_hash, second.data_hash]);
  });
});
