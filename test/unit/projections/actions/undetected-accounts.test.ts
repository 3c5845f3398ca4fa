import { expect, it } from 'vitest';
import {
  type AskedFacts,
  undetectedTokens,
  unknownContracts,
} from '../../../../src/projections/actions/undetected-accounts.ts';
import type { AccountFacts, FactSort } from '../../../../src/ton/contracts/account-facts.ts';
import { traceFrom } from '../../../helpers/action-traces.ts';

const raw = (digit: string) => `0:${digit.repeat(64)}`;
const codeHash = Buffer.alloc(32, 7).toString('base64');
const [USER, POOL, WALLET, MASTER, SALE] = ['1', '2', '3', '4', '5'].map(raw) as [
  string,
  string,
  string,
  string,
  string,
];
const asked = (some: Partial<Record<FactSort, readonly string[]>>): AskedFacts => ({
  account: new Set(some.account),
  data: new Set(),
  pool: new Set(some.pool),
});
const finding = (facts: Readonly<Record<string, AccountFacts>>) => (_: FactSort, account: string) =>
  facts[account] ?? null;
const jettonWallet = { owner: POOL, jetton: MASTER };

it.each<[string, Record<string, AccountFacts>, readonly string[]]>([
  ['a wallet under an unknown code', { [WALLET]: { codeHash } }, [WALLET]],
  ['the unknown master of a wallet', { [WALLET]: { unnamedBy: MASTER }, [MASTER]: { codeHash } }, [MASTER]],
  ['none if the wallet is known', { [WALLET]: { codeHash, jettonWallet } }, []],
])('pools wait for %s', (_, facts, expected) => {
  const trace = traceFrom({ to: USER });
  const find = finding({ ...facts, [POOL]: { poolWallets: [WALLET] } });
  expect(undetectedTokens(trace, asked({ pool: [POOL] }), find)).toEqual(expected);
  expect(undetectedTokens(trace, asked({}), find)).toEqual([]);
});

it.each<[string, AccountFacts, boolean]>([
  ['an account under an unknown code', { codeHash }, true],
  ['no account without a code', {}, false],
  ['no order', { codeHash, multisigOrder: { signers: [] } }, false],
  [
    'no sale',
    { codeHash, nftSale: { nft: USER, nftOwner: null, marketplace: null, fullPrice: 1n, codeHash } },
    false,
  ],
])('of the accounts that rules asked for, %s may be detected', (_, facts, isUnknown) => {
  const found = unknownContracts(asked({ account: [SALE, USER] }), finding({ [SALE]: facts }));
  expect(found).toEqual(isUnknown ? [{ account: SALE, codeHash }] : []);
});
