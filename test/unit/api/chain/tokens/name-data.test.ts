/** Names by the answers of their get methods (v3-rules.md 6). */
import { Address, beginCell } from '@ton/core';
import { expect, it } from 'vitest';
import type { Ask } from '../../../../../src/api/chain/tokens/ask-contract.ts';
import { readNameData, readTelegramName } from '../../../../../src/api/chain/tokens/name-data.ts';
import type { StackValue } from '../../../../../src/tvm/stack/stack-value.ts';

const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const raw = (byte: number) => account(byte).toRawString().toUpperCase();
const [NAME, COLLECTION, OWNER] = [1, 2, 3];

const int = (value: number): StackValue => ({ kind: 'int', value: BigInt(value) });
const slice = (address: Address | null): StackValue => ({
  kind: 'slice',
  boc: beginCell().storeAddress(address).endCell().toBoc(),
});
const text = (value: string | Buffer): StackValue => ({
  kind: 'slice',
  boc: beginCell().storeBuffer(Buffer.from(value)).endCell().toBoc(),
});
const NULL: StackValue = { kind: 'null' };
type Answers = Readonly<Record<string, readonly StackValue[]>>;
const ITEM: Answers = {
  get_nft_data: [int(-1), int(42), slice(account(COLLECTION)), slice(account(OWNER)), NULL],
  get_domain: [text('alice')],
  get_full_domain: [text('me\0t\0alice\0')],
  dnsresolve: [int(8), NULL],
};

/** `at`: the address that the collection computes for the item. */
const asked =
  (answers: Answers, at = NAME): Ask =>
  async (of, method) => {
    if (of.address[0] === NAME) return answers[method] ?? null;
    return method === 'get_nft_address_by_index' ? [slice(account(at))] : null;
  };
const id = (byte: number) => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });
const ton = (answers: Answers, at?: number) => readNameData(asked(answers, at), id(NAME), [raw(COLLECTION)]);
const telegram = (answers: Answers) => readTelegramName(asked(answers), id(NAME), 'any');

const NO_RECORDS = {
  dns_next_resolver: null,
  dns_wallet: null,
  dns_site_adnl: null,
  dns_storage_bag_id: null,
};

it('a name without records', async () => {
  expect(await ton(ITEM)).toEqual({
    kind: 'dns_item',
    owner: id(OWNER),
    parent: id(COLLECTION),
    details: { domain: 'alice.ton', ...NO_RECORDS },
    keys: [{ role: 'domain', account: { workchain: 0, address: expect.any(Uint8Array) } }],
  });
  expect((await telegram(ITEM)).details).toEqual({ domain: 'alice.t.me', ...NO_RECORDS });
});

it.each([
  [
    'an item of another collection',
    { get_nft_data: ITEM.get_nft_data!.with(2, slice(account(9))) },
    'a collection',
  ],
  [
    'an item of no collection',
    { get_nft_data: ITEM.get_nft_data!.with(2, slice(null)) },
    'an address, found none',
  ],
  ['an item of fewer values', { get_nft_data: [int(1)] }, '5 values of get_nft_data, found 1'],
  ['a label that is no UTF-8', { get_domain: [text(Buffer.from('ff', 'hex'))] }, 'a name, found no text'],
  ['no label', { get_domain: [int(1)] }, 'a text, found int'],
  ['records of less than the name', { dnsresolve: [int(0), NULL] }, 'records of the name itself'],
  ['records that are no cell', { dnsresolve: [int(8), int(1)] }, 'a cell, found int'],
] as const)('%s is no name', async (_what, answers, reason) => {
  await expect(ton({ ...ITEM, ...answers })).rejects.toThrow(reason);
});

it('ignores values after those of the standard', async () => {
  const longer = Object.fromEntries(
    Object.entries(ITEM).map(([method, values]) => [method, [...values, NULL]]),
  );
  expect(await ton(longer)).toEqual(await ton(ITEM));
  expect(await telegram(longer)).toEqual(await telegram(ITEM));
});

it('what its collection does not give its address is no name, and an item of Telegram without one neither', async () => {
  await expect(ton(ITEM, 9)).rejects.toThrow('its own address, found 09');
  await expect(telegram({ ...ITEM, get_full_domain: [text('\0')] })).rejects.toThrow('a name, found no text');
  await expect(telegram({ get_nft_data: ITEM.get_nft_data! })).rejects.toThrow('1 values of get_full_domain');
});
