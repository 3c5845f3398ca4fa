/** The elector's data of several networks, against the get methods of the elector itself in the TVM. */
import { readFileSync } from 'node:fs';
import { Cell, loadAccount } from '@ton/core';
import { expect, it } from 'vitest';
import { readElectorState } from '../../../../../src/ton/contracts/elector/elector-state.ts';
import type { StackValue } from '../../../../../src/ton/tvm/stack-value.ts';
import { type Contract, intIn, librariesOf, runContract } from '../../../../helpers/ask-contract.ts';
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

describeWithData('the state of an elector', (data) => {
  it.each(ACCOUNTS)('%s is what its get methods say', (name) => {
    const elector = electorOf(data, name);
    const state = readElectorState(elector.data.toBoc());
    expect(state).not.toBeNull();
    const { election, past } = state!;
    const [active] = runContract(elector, 'active_election_id').stack;
    expect(BigInt(election?.id ?? 0)).toBe(intIn(active));
    const { exitCode, stack } = runContract(elector, 'participant_list_extended');
    if (exitCode === 0 && election) {
      const [id, close, minStake, totalStake, list] = stack;
      expect([id, close, minStake, totalStake].map(intIn)).toEqual([
        BigInt(election.id),
        BigInt(election.close),
        election.minStake,
        election.totalStake,
      ]);
      const members = [...listIn(list)].map((one) => {
        const [publicKey, facts] = items(one);
        const [stake, factor, account, adnl] = items(facts);
        return [hex(publicKey), intIn(stake), intIn(factor), `-1:${hex(account)}`, hex(adnl)];
      });
      expect(
        election.members.map((one) => [
          one.publicKey,
          one.stake,
          BigInt(one.maxFactor),
          one.account,
          one.adnl,
        ]),
      ).toEqual(members);
    }
    const rounds = runContract(elector, 'past_elections');
    if (rounds.exitCode !== 0) return;
    const found = [...listIn(rounds.stack[0])].map((one) => {
      const [id, unfreeze, , setHash, , total, bonuses] = items(one);
      return [intIn(id), intIn(unfreeze), hex(setHash), intIn(total), intIn(bonuses)];
    });
    const expected = past.map((one) => [
      BigInt(one.id),
      BigInt(one.unfreezeAt),
      Buffer.from(one.setHash, 'base64').toString('hex').toUpperCase(),
      one.totalStake,
      one.bonuses,
    ]);
    expect(found.toSorted((a, b) => Number(a[0]! as bigint) - Number(b[0]! as bigint))).toEqual(expected);
    expect(past.flatMap(({ frozen }) => frozen).length).toBeGreaterThan(0);
  });

  it('is none where the data is another contract’s', () => {
    expect(readElectorState(Cell.EMPTY.toBoc())).toBeNull();
  });
});
