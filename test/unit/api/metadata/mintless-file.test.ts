import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readAmounts } from '../../../../src/api/metadata/mintless-file.ts';
import type { MintlessAmount } from '../../../../src/api/metadata/mintless-records.ts';

const directory = mkdtempSync(join(tmpdir(), 'tonhouse-mintless-'));
afterAll(() => rmSync(directory, { recursive: true }));

const OWNER = `0:${'ab'.repeat(32)}`;

async function read(text: string): Promise<MintlessAmount[]> {
  const file = join(directory, 'amounts.csv');
  writeFileSync(file, text);
  const rows: MintlessAmount[] = [];
  for await (const page of readAmounts(file)) rows.push(...page);
  return rows;
}

it('lines of amounts are read, with times or without', async () => {
  const owner = OWNER.toUpperCase();
  const most = (2n ** 120n - 1n).toString();
  const text = `# owner,amount\r\n${OWNER},5\r\n\r\n${OWNER}, ${most} ,1700000000\n${OWNER},0,,4294967295`;
  expect(await read(text)).toEqual([
    { owner, amount: 5n, startFrom: null, expireAt: null },
    { owner, amount: BigInt(most), startFrom: 1_700_000_000, expireAt: null },
    { owner, amount: 0n, startFrom: null, expireAt: 4_294_967_295 },
  ]);
  expect(await read('')).toEqual([]);
  expect(await read(`${OWNER},1\n`.repeat(25_000))).toHaveLength(25_000);
});

it('a line that is none is named', async () => {
  const bad: readonly (readonly [string, RegExp])[] = [
    [OWNER, /a line is OWNER,AMOUNT/],
    [`${OWNER},1,2,3,4`, /a line is OWNER,AMOUNT/],
    ['nobody,1', /the owner is no address/],
    [`${OWNER},-1`, /the amount is no decimal number/],
    [`${OWNER},1.5`, /the amount is no decimal number/],
    [`${OWNER},`, /the amount is no decimal number/],
    [`${OWNER},${2n ** 120n}`, /the amount is no decimal number/],
    [`${OWNER},1,soon`, /times are Unix seconds/],
    [`${OWNER},1,,4294967296`, /times are Unix seconds/],
  ];
  for (const [line, reason] of bad) {
    const error = await read(`${OWNER},1\n${line}\n`).catch((found: unknown) => found);
    expect(error, line).toMatchObject({ name: 'MintlessFileError' });
    expect(String(error)).toMatch(reason);
    expect(String(error)).toContain('line 2: ');
  }
  await expect(readAmounts(join(directory, 'nowhere')).next()).rejects.toThrow(/nowhere cannot be read/);
  await expect(readAmounts(directory).next()).rejects.toMatchObject({ name: 'MintlessFileError' });
});
