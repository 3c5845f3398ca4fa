/** The elector's data of several networks, against the get methods of the elector itself in the TVM. */
import { readFileSync } from 'node:fs';
import { type Builder, beginCell, Cell, Dictionary, loadAccount } from '@ton/core';
import { expect, it } from 'vitest';
import { readElectorState } from '../../../../../src/ton/contracts/elector/elector-state.ts';
import type { StackValue } from '../../../../../src/tvm/stack/stack-value.ts';
import { askContract, type Contract, intIn, librariesOf } from '../../../../helpers/ask-contract.ts';
import { describeWithData } from '../../../../helpers/shared-data.ts';

const ACCOUNTS = [
  '38ca07263352adebf3b8de4a36b6b3898e1de5953991f7356b0160bb0fb15ef7',
  '64c9e16a3a0ca6dce23d51f50d91b7cb0b46e96f5ef04db3e473e608af49120e',
];

function electorOf(data: string, name: string): Contract {
  const account = loadAccount(
    Cell.fromBoc(readFileSync(`${data}/accounts/${name}.boc`))[0]!
      .beginParse()
      .skip(1),
  );
  const { state } = account.storage;
  if (state.type !== 'active') throw new Error(`expected an active elector, found ${state.type}`);
  return {
    code: state.state.code!,
    data: state.state.data!,
    address: account.addr as Contract['address'],
    libraries: librariesOf([state.state.code!]),
  };
}

const items = (value: StackValue | undefined): readonly StackValue[] =>
  value?.kind === 'tuple' ? value.items : [];
/** A list of the TVM: pairs of a value and the rest. */
function* listIn(value: StackValue | undefined): Generator<StackValue> {
  for (let [first, rest] = items(value); first; [first, rest] = items(rest)) yield first;
}
const hex = (value: StackValue | undefined) => intIn(value)?.toString(16).padStart(64, '0').toUpperCase();

/** A round of two members, as the elector keeps it while stakes are taken. */
function runningElection(): Cell {
  const facts = [
    { publicKey: 0x11n, stake: 700_000_000_000n, factor: 3 * 65_536 },
    { publicKey: 0x2fn << 240n, stake: 900_000_000_001n, factor: 65_536 },
  ];
  // Members are inline in the dictionary, not in references.
  const values = Dictionary.empty(Dictionary.Keys.BigUint(256), {
    serialize: ({ publicKey, stake, factor }: (typeof facts)[number], builder: Builder) => {
      builder.storeCoins(stake).storeUint(1_749_999_000, 32).storeUint(factor, 32);
      builder.storeUint(publicKey + 1n, 256).storeUint(publicKey + 2n, 256);
    },
    parse: () => {
      throw new Error('members are only written');
    },
  });
  for (const one of facts) values.set(one.publicKey, one);
  return beginCell()
    .storeUint(1_750_001_000, 32)
    .storeUint(1_750_000_500, 32)
    .storeCoins(300_000_000_000n)
    .storeCoins(1_600_000_000_001n)
    .storeDict(values)
    .storeBit(false)
    .storeBit(false)
    .endCell();
}

/** The same elector while it takes stakes: no shared account is one. */
function whileElecting(elector: Contract): Contract {
  const data = elector.data.beginParse();
  expect(data.loadMaybeRef()).toBeNull();
  return { ...elector, data: beginCell().storeMaybeRef(runningElection()).storeSlice(data).endCell() };
}

describeWithData('the state of an elector', (data) => {
  it.each(ACCOUNTS)('%s has the rounds that past_elections tells, and none that runs', (name) => {
    const elector = electorOf(data, name);
    const state = readElectorState(elector.data.toBoc())!;
    expect(state.election).toBeNull();
    expect(askContract(elector, 'active_election_id').map(intIn)).toEqual([0n]);
    const [rounds] = askContract(elector, 'past_elections');
    const found = [...listIn(rounds)].map((one) => {
      const [id, unfreeze, , setHash, , total, bonuses] = items(one);
      return [intIn(id), intIn(unfreeze), hex(setHash), intIn(total), intIn(bonuses)];
    });
    expect(found.length).toBeGreaterThan(0);
    const expected = state.past.map((one) => [
      BigInt(one.id),
      BigInt(one.unfreezeAt),
      Buffer.from(one.setHash, 'base64').toString('hex').toUpperCase(),
      one.totalStake,
      one.bonuses,
    ]);
    expect(found.toSorted((a, b) => Number(a[0]! as bigint) - Number(b[0]! as bigint))).toEqual(expected);
    expect(state.past.flatMap(({ frozen }) => frozen).length).toBeGreaterThan(0);
  });

  it.each(ACCOUNTS)('%s has, while it takes stakes, what participant_list_extended tells', (name) => {
    const elector = whileElecting(electorOf(data, name));
    const { election } = readElectorState(elector.data.toBoc())!;
    expect(askContract(elector, 'active_election_id').map(intIn)).toEqual([BigInt(election!.id)]);
    const [id, close, minStake, totalStake, list] = askContract(elector, 'participant_list_extended');
    expect([id, close, minStake, totalStake].map(intIn)).toEqual([
      BigInt(election!.id),
      BigInt(election!.close),
      election!.minStake,
      election!.totalStake,
    ]);
    const told = [...listIn(list)].map((one) => {
      const [publicKey, facts] = items(one);
      const [stake, factor, account, adnl] = items(facts);
      return [hex(publicKey), intIn(stake), intIn(factor), `-1:${hex(account)}`, hex(adnl)];
    });
    const read = election!.members.map((one) => [
      one.publicKey,
      one.stake,
      BigInt(one.maxFactor),
      one.account,
      one.adnl,
    ]);
    expect(told).toHaveLength(2);
    expect(read.toSorted()).toEqual(told.toSorted());
  });

  it('is none where the data is another contract’s', () => {
    expect(readElectorState(Cell.EMPTY.toBoc())).toBeNull();
  });
});
