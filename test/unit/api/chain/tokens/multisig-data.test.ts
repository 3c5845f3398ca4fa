/** Multisigs and orders by the answers of their get methods (v3-rules.md 6). */
import { Address, beginCell, type Cell, Dictionary } from '@ton/core';
import { expect, it } from 'vitest';
import { type MultisigData, readMultisigData } from '../../../../../src/api/chain/tokens/multisig-data.ts';
import type { StackValue } from '../../../../../src/tvm/stack/stack-value.ts';

const account = (byte: number) => new Address(0, Buffer.alloc(32, byte));
const id = (byte: number) => ({ workchain: 0, address: new Uint8Array(32).fill(byte) });
const raw = (byte: number) => account(byte).toRawString().toUpperCase();
const [WALLET, ORDER] = [7, 8];

const int = (value: number | bigint): StackValue => ({ kind: 'int', value: BigInt(value) });
const slice = (address: Address | null): StackValue => ({
  kind: 'slice',
  boc: beginCell().storeAddress(address).endCell().toBoc(),
});
const cell = (value: Cell): StackValue => ({ kind: 'cell', boc: value.toBoc() });
const NULL: StackValue = { kind: 'null' };
const list = (...bytes: readonly number[]) => {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [index, byte] of bytes.entries()) dictionary.set(index, account(byte));
  return cell(beginCell().storeDictDirect(dictionary).endCell());
};
const WHAT = beginCell().storeUint(1, 8).endCell();
const MULTISIG = [int(-1), int(2), list(1, 2), NULL];
const STORED = [
  slice(account(WALLET)),
  ...[int(5), int(2), int(-1), list(1, 2), int(3), int(2), int(1_800_000_000)],
  cell(WHAT),
];

/** `answers`: stacks of the asked account, by method; `named`: the multisig's stack of `get_order_address`. */
function read(
  kind: MultisigData['kind'],
  answers: Readonly<Record<string, readonly StackValue[]>>,
  named: readonly StackValue[] | null = [slice(account(ORDER))],
): Promise<MultisigData> {
  const ask = async (
    of: { readonly address: Uint8Array },
    method: string,
    stack: readonly StackValue[] = [],
  ) => {
    if (of.address[0] === ORDER) return answers[method] ?? null;
    return method === 'get_order_address' && stack[0]?.kind === 'int' && stack[0].value === 5n ? named : null;
  };
  return readMultisigData(ask, id(ORDER), kind);
}

it('a multisig without proposers, whose orders may have any number', async () => {
  expect(await read('multisig', { get_multisig_data: MULTISIG })).toEqual({
    kind: 'multisig',
    owner: null,
    parent: null,
    keys: [1, 2].map((byte) => ({ role: 'signer', account: id(byte) })),
    details: { next_order_seqno: '-1', threshold: 2, signers: [raw(1), raw(2)], proposers: [] },
  });
  const both = await read('multisig', { get_multisig_data: [int(0), int(1), NULL, list(3)] });
  expect(both.keys).toEqual([{ role: 'proposer', account: id(3) }]);
});

it('an order, which its multisig confirms', async () => {
  expect(await read('multisig_order', { get_order_data: STORED })).toEqual({
    kind: 'multisig_order',
    owner: null,
    parent: id(WALLET),
    keys: [{ role: 'multisig', account: id(WALLET) }],
    details: {
      order_seqno: '5',
      threshold: 2,
      sent_for_execution: true,
      approvals_mask: '3',
      approvals_num: 2,
      expiration_date: 1_800_000_000,
      order_boc: expect.any(String),
      signers: [raw(1), raw(2)],
    },
  });
});

it('ignores values after those of the standard', async () => {
  const multisig = { get_multisig_data: MULTISIG };
  const longer = { get_multisig_data: [...MULTISIG, int(7)] };
  expect(await read('multisig', longer)).toEqual(await read('multisig', multisig));
  const order = await read('multisig_order', { get_order_data: STORED });
  expect(await read('multisig_order', { get_order_data: [...STORED, NULL] })).toEqual(order);
});

it('a contract with another answer is none, with the reason', async () => {
  const multisig = async (stack: readonly StackValue[], reason: RegExp) =>
    expect(read('multisig', { get_multisig_data: stack }), `${reason}`).rejects.toThrow(reason);
  const order = async (
    stack: readonly StackValue[],
    reason: RegExp,
    named: readonly StackValue[] | null = [slice(account(ORDER))],
  ) => expect(read('multisig_order', { get_order_data: stack }, named), `${reason}`).rejects.toThrow(reason);
  await multisig(MULTISIG.slice(1), /4 values of get_multisig_data, found 3/);
  await multisig(MULTISIG.with(2, int(1)), /expected a cell, found int/);
  await multisig(MULTISIG.with(2, cell(WHAT)), /a dictionary of addresses/);
  await multisig(MULTISIG.with(1, int(-2)), /a number of 53 bits/);
  // Not begun: its multisig's message has not come.
  await order([...STORED.slice(0, 2), ...Array<StackValue>(7).fill(NULL)], /expected a number, found null/);
  await order(STORED.with(0, slice(null)), /expected an address, found none/);
  await order(STORED.with(4, NULL), /expected a cell, found null/);
  await order(STORED, /expected its own address, found 09/, [slice(account(9))]);
  await order(STORED, /a parent that gives it its address, found a failure/, null);
  // Nothing in the chain bounds what a get method puts together.
  let large = beginCell().storeBuffer(Buffer.alloc(127)).endCell();
  for (let i = 0; i < 600; i++)
    large = beginCell().storeUint(i, 16).storeBuffer(Buffer.alloc(120)).storeRef(large).endCell();
  await order(STORED.with(8, cell(large)), /an order of 65536 bytes/);
});
