import { readdirSync, readFileSync } from 'node:fs';
import { Address, beginCell, Cell, contractAddress, Dictionary, type DictionaryKey } from '@ton/core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type MultisigData, readMultisigData } from '../../../../src/api/chain/tokens/multisig-data.ts';
import { MULTISIG_CODE } from '../../../../src/localnet/contracts/codes/multisig-code.ts';
import { MULTISIG_ORDER_CODE } from '../../../../src/localnet/contracts/codes/multisig-order-code.ts';
import { VESTING_CODE } from '../../../../src/localnet/contracts/codes/vesting-code.ts';
import { readContract } from '../../../../src/ton/contracts/contract-layouts.ts';
import type {
  CustodyDetails,
  CustodyKind,
  CustodyState,
} from '../../../../src/ton/contracts/custody/custody-state.ts';
import type { StackValue } from '../../../../src/tvm/stack/stack-value.ts';
import {
  addressIn,
  askContract,
  type Contract,
  cellIn,
  intIn,
  librariesOf,
  runContract,
  withMoreData,
} from '../../../helpers/ask-contract.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

/* Every layout against the get methods of its own code, run in the TVM on the same data. */

const account = (byte: number, workchain = 0) => new Address(workchain, Buffer.alloc(32, byte));
const raw = (address: Address | null) => address?.toRawString().toUpperCase() ?? null;
const SIGNERS = [account(1), account(0xff, -1), account(3)];
const PROPOSERS = [account(4)];
const ORDER = beginCell().storeUint(7, 32).storeRef(beginCell().storeUint(1, 1).endCell()).endCell();

function addresses(list: readonly Address[]) {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  for (const [index, address] of list.entries()) dictionary.set(index, address);
  return dictionary;
}
/** A dictionary as a get method answers it: none for an empty one. */
function accountsIn(value: StackValue | undefined): (string | null)[] {
  const root = cellIn(value);
  if (!root) return [];
  const found = Dictionary.loadDirect(Dictionary.Keys.Uint(8), Dictionary.Values.Address(), root);
  return found.values().map(raw);
}

const readAny = ({ code, data, address }: Contract) =>
  readContract({
    account: { workchain: address.workChain, address: address.hash },
    code: { hash: code.hash(), depth: code.depth() },
    data: data.toBoc(),
  });

/** Data that is longer than the code's is read if the get method accepts it. */
function compareLonger(contract: Contract, method: string): void {
  const { longer, isTaken } = withMoreData(contract, method);
  expect(readAny(longer)).toEqual(isTaken ? readAny(contract) : null);
}

function read<K extends CustodyKind>(kind: K, contract: Contract): CustodyState<K> {
  const found = readAny(contract);
  expect(found?.kind).toBe(kind);
  return found as CustodyState<K>;
}
const detailsOf = <K extends CustodyKind>(kind: K, contract: Contract): CustodyDetails[K] =>
  read(kind, contract).details;

/** Detection would give the same result for `contract` under an unknown code. `all`: contracts that may be called. */
async function compareTold(
  kind: MultisigData['kind'],
  contract: Contract,
  all: readonly Contract[],
): Promise<void> {
  const told = await readMultisigData(
    async (of, method, values) => {
      const asked = all.find(({ address }) => address.hash.equals(Buffer.from(of.address)))!;
      const { exitCode, stack } = runContract(asked, method, values);
      return exitCode === 0 ? stack : null;
    },
    { workchain: contract.address.workChain, address: contract.address.hash },
    kind,
  );
  const { parent, members, details } = read(kind, contract);
  expect(told).toEqual({ kind, owner: null, parent, keys: members, details });
}

interface MultisigCodes {
  readonly multisig: Cell;
  readonly order: Cell;
  readonly libraries: Cell;
  readonly data: (proposers: readonly Address[]) => Cell;
  readonly signers: Cell;
}

/** A multisig with and without proposers, and an order at its expected address. */
async function compareMultisig(codes: MultisigCodes): Promise<void> {
  const { multisig, order, libraries, data, signers } = codes;
  for (const proposers of [PROPOSERS, []]) {
    const wallet = { code: multisig, data: data(proposers), address: account(9), libraries };
    const [seqno, threshold, list, more] = askContract(wallet, 'get_multisig_data');
    compareLonger(wallet, 'get_multisig_data');
    expect(detailsOf('multisig', wallet)).toEqual({
      next_order_seqno: `${intIn(seqno)}`,
      threshold: Number(intIn(threshold)),
      signers: accountsIn(list),
      proposers: accountsIn(more),
    });
    expect(detailsOf('multisig', wallet)).toMatchObject({
      threshold: 2,
      signers: SIGNERS.map(raw),
      proposers: proposers.map(raw),
    });
    await compareTold('multisig', wallet, [wallet]);
  }
  const wallet = { code: multisig, data: data([]), address: account(9), libraries };
  const at = addressIn(askContract(wallet, 'get_order_address', [{ kind: 'int', value: 5n }])[0])!;
  const first = beginCell().storeAddress(wallet.address).storeUint(5, 256);
  const begun = beginCell()
    .storeBuilder(first)
    .storeUint(2, 8)
    .storeBit(true)
    .storeRef(signers)
    .storeUint(0b101n, 256)
    .storeUint(2, 8)
    .storeUint(1_800_000_000, 48)
    .storeRef(ORDER)
    .endCell();
  const one = { code: order, data: begun, address: at, libraries };
  const [parent, number, threshold, isSent, list, mask, count, expires, what] = askContract(
    one,
    'get_order_data',
  );
  expect(detailsOf('multisig_order', one)).toEqual({
    order_seqno: `${intIn(number)}`,
    threshold: Number(intIn(threshold)),
    sent_for_execution: intIn(isSent) !== 0n,
    approvals_mask: `${intIn(mask)}`,
    approvals_num: Number(intIn(count)),
    expiration_date: Number(intIn(expires)),
    order_boc: cellIn(what)!.toBoc().toString('base64'),
    signers: accountsIn(list),
  });
  expect(read('multisig_order', one).members).toEqual([
    { role: 'multisig', account: { workchain: 0, address: new Uint8Array(addressIn(parent)!.hash) } },
  ]);
  expect(Buffer.from(read('multisig_order', one).childCode!)).toEqual(
    Buffer.from(read('multisig', wallet).childCode!),
  );
  await compareTold('multisig_order', one, [wallet, one]);
  // At another address its multisig does not confirm it; before its multisig's message it is not initialised.
  const known = {
    account: { workchain: 0, address: account(8).hash },
    code: { hash: order.hash(), depth: order.depth() },
  };
  expect(readContract({ ...known, data: begun.toBoc() })).toBeNull();
  const own = { ...known, account: { workchain: 0, address: at.hash } };
  expect(readContract({ ...own, data: first.endCell().toBoc() })).toBeNull();
  expect(contractAddress(0, { code: order, data: first.endCell() }).equals(at)).toBe(true);
}

function compareVesting(vesting: Contract, keyBits: 264 | 267): void {
  const [start, total, period, cliff, amount, sender, owner, list] = askContract(vesting, 'get_vesting_data');
  compareLonger(vesting, 'get_vesting_data');
  const key: DictionaryKey<bigint> = Dictionary.Keys.BigUint(keyBits);
  const root = cellIn(list);
  const keys = root ? Dictionary.loadDirect(key, Dictionary.Values.Uint(0), root).keys() : [];
  expect(detailsOf('vesting', vesting)).toEqual({
    start_time: Number(intIn(start)),
    total_duration: Number(intIn(total)),
    unlock_period: Number(intIn(period)),
    cliff_duration: Number(intIn(cliff)),
    total_amount: `${intIn(amount)}`,
    sender_address: raw(addressIn(sender)),
    owner_address: raw(addressIn(owner)),
    whitelist: keys.map((one) => {
      const hash = (one & ((1n << 256n) - 1n)).toString(16).padStart(64, '0').toUpperCase();
      return `${BigInt.asIntN(8, one >> 256n)}:${hash}`;
    }),
  });
}

const schedule = () =>
  beginCell()
    .storeUint(1_700_000_000, 64)
    .storeUint(86_400 * 30, 32)
    .storeUint(86_400, 32)
    .storeUint(7, 32)
    .storeCoins(10n ** 12n)
    .storeAddress(account(1))
    .storeAddress(account(2, -1))
    .endCell();

describe('the layout of the local chain', () => {
  const codes = [MULTISIG_CODE, MULTISIG_ORDER_CODE, VESTING_CODE].map((code) => Cell.fromBase64(code));
  const [multisig, order, vesting] = codes as [Cell, Cell, Cell];
  const libraries = librariesOf(codes);

  it('of a multisig and its orders says what the get methods say', async () => {
    const signers = beginCell().storeDict(addresses(SIGNERS)).endCell();
    const data = (proposers: readonly Address[]) =>
      beginCell()
        .storeUint(5, 256)
        .storeUint(2, 8)
        .storeRef(signers)
        .storeUint(3, 8)
        .storeDict(addresses(proposers))
        .storeRef(order)
        .endCell();
    await compareMultisig({ multisig, order, libraries, data, signers });
  });

  it.each([0, 2])('of vesting with %i in the whitelist says what the get methods say', (count) => {
    const list = Dictionary.empty(Dictionary.Keys.Address(), Dictionary.Values.Uint(0));
    for (const [i, address] of SIGNERS.entries()) if (i < count) list.set(address, 0);
    const data = beginCell().storeRef(schedule()).storeDict(list).endCell();
    compareVesting({ code: vesting, data, address: account(9), libraries }, 267);
  });
});

describeWithData('the layout', (folder) => {
  const codes = new Map<string, Cell>();
  const of = (hash: string) => [...codes].find(([key]) => key.startsWith(hash))![1];
  let libraries: Cell;
  beforeAll(() => {
    for (const file of readdirSync(`${folder}/contracts/code`)) {
      const code = Cell.fromBoc(readFileSync(`${folder}/contracts/code/${file}`))[0]!;
      codes.set(code.hash().toString('hex'), code);
    }
    libraries = librariesOf([...codes.values()]);
  });

  it('of multisig v2 and its orders says what the get methods say', async () => {
    const signers = beginCell().storeDictDirect(addresses(SIGNERS)).endCell();
    const data = (proposers: readonly Address[]) =>
      beginCell()
        .storeUint(5, 256)
        .storeUint(2, 8)
        .storeRef(signers)
        .storeUint(3, 8)
        .storeDict(addresses(proposers))
        .storeBit(proposers.length > 0)
        .endCell();
    // A library cell: 2 and the hash of the code.
    const library = beginCell().storeUint(2, 8).storeBuffer(of('6305a806').hash()).endCell({ exotic: true });
    await compareMultisig({ multisig: of('d3d14da9'), order: library, libraries, data, signers });
  });

  it.each([0, 2])('of vesting with %i in the whitelist says what the get methods say', (count) => {
    const list = Dictionary.empty(Dictionary.Keys.BigUint(264), Dictionary.Values.Uint(0));
    for (const [i, { workChain, hash }] of SIGNERS.entries())
      if (i < count)
        list.set((BigInt.asUintN(8, BigInt(workChain)) << 256n) | BigInt(`0x${hash.toString('hex')}`), 0);
    const data = beginCell()
      .storeUint(1, 32)
      .storeUint(2, 32)
      .storeUint(3n, 256)
      .storeDict(list)
      .storeRef(schedule())
      .endCell();
    compareVesting({ code: of('b48b531a'), data, address: account(9), libraries }, 264);
  });

  it.each([0, 2])('of a nominator pool with %i nominators says what the get method says', (count) => {
    const nominators = Dictionary.empty<Buffer, [bigint, bigint]>(Dictionary.Keys.Buffer(32), {
      serialize: ([amount, pending], builder) => builder.storeCoins(amount).storeCoins(pending),
      parse: (slice) => [slice.loadCoins(), slice.loadCoins()],
    });
    for (let i = 0; i < count; i++) nominators.set(account(i).hash, [BigInt(i) * 10n ** 9n, 5n]);
    const config = beginCell()
      .storeBuffer(account(7).hash)
      .storeUint(4_000, 16)
      .storeUint(40, 16)
      .storeCoins(1_000n)
      .storeCoins(10n)
      .endCell();
    const data = beginCell()
      .storeUint(2, 8)
      .storeUint(count, 16)
      .storeCoins(600n)
      .storeCoins(900n)
      .storeRef(config)
      .storeDict(nominators)
      .storeBit(false)
      .storeUint(1_700_000_000, 32)
      .storeUint(1n, 256)
      .storeUint(1, 8)
      .storeUint(2, 32)
      .storeUint(3, 32)
      .storeBit(false)
      .endCell();
    const pool = { code: of('9a3ec14b'), data, address: account(9, -1), libraries };
    const stack = askContract(pool, 'get_pool_data');
    compareLonger(pool, 'get_pool_data');
    const number = (at: number) => Number(intIn(stack[at]));
    const { nominators: found, ...details } = detailsOf('nominator_pool', pool);
    expect(details).toEqual({
      state: number(0),
      nominators_count: number(1),
      stake_amount_sent: `${intIn(stack[2])}`,
      validator_amount: `${intIn(stack[3])}`,
      validator_address: `-1:${intIn(stack[4])!.toString(16).padStart(64, '0').toUpperCase()}`,
      validator_reward_share: number(5),
      max_nominators_count: number(6),
      min_validator_stake: `${intIn(stack[7])}`,
      min_nominator_stake: `${intIn(stack[8])}`,
    });
    const own = [...nominators].map(([address, [balance, pending]]) => ({
      address: raw(new Address(0, address)),
      balance: `${balance}`,
      pending_balance: `${pending}`,
    }));
    expect(found).toEqual(own);
  });
});
