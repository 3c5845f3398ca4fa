import { type Builder, beginCell } from '@ton/core';
import { describe, expect, it } from 'vitest';
import type { TransactionRow } from '../../../../src/api/entities/transactions/model.ts';
import { validatorEvent } from '../../../../src/api/staking/read-validator-events.ts';

const head = (op: number, queryId = 5) => beginCell().storeUint(op, 32).storeUint(queryId, 64);
const ACCOUNT = { kind: 'std', workchain: -1, hash: Buffer.alloc(32, 1) };
const message = (direction: 'in' | 'out', opcode: number, value: bigint, body: Builder) => ({
  direction,
  opcode,
  value,
  bounced: false,
  source: ACCOUNT,
  body: body.endCell().toBoc(),
});
const stake = (queryId = 5) =>
  message(
    'in',
    0x4e73744b,
    11_000_000_000n,
    head(0x4e73744b, queryId)
      .storeBuffer(Buffer.alloc(32, 0xab))
      .storeUint(1_800_000_000, 32)
      .storeUint(65_536, 32)
      .storeBuffer(Buffer.alloc(32, 0xcd)),
  );

function eventOf(messages: readonly object[], facts: object = {}) {
  const row = { workchain: -1, account: '33'.repeat(32), compute_success: true, aborted: false, messages };
  return validatorEvent({ ...row, ...facts } as unknown as TransactionRow);
}

describe('events of a validator in a transaction', () => {
  it('a stake that was accepted: by the answer, or by none where none was asked for', () => {
    const accepted = message('out', 0xf374484c, 1n, head(0xf374484c));
    const expected = {
      type: 'stake_accepted',
      account: `-1:${'01'.repeat(32)}`,
      amount: 10_000_000_000n,
      stake: { publicKey: 'AB'.repeat(32), adnl: 'CD'.repeat(32), electionId: 1_800_000_000 },
    };
    expect(eventOf([stake(), accepted])).toMatchObject({ ...expected, queryId: 5n });
    expect(eventOf([stake(0)])).toMatchObject({ ...expected, queryId: 0n });
    expect(eventOf([stake()])).toBeNull();
    expect(eventOf([stake(6), accepted])).toBeNull();
  });

  it('a stake that was rejected, with what came back and why', () => {
    const refusal = message('out', 0xee6f454c, 9n, head(0xee6f454c).storeUint(3, 32));
    expect(eventOf([stake(), refusal])).toMatchObject({ type: 'stake_rejected', amount: 9n, reason: 3 });
  });

  it('a stake that was taken back, asked for, or not there', () => {
    for (const [op, type, account] of [
      [0xf96f7324, 'stake_recovered', '33'],
      [0xfffffffe, 'recover_failed', '33'],
      [0x47657424, 'recover_requested', '01'],
    ] as const)
      expect(eventOf([message('in', op, 7n, head(op))])).toMatchObject({
        type,
        account: `-1:${account.repeat(32)}`,
        amount: 7n,
      });
  });

  it('nothing if it failed, or its message is too short', () => {
    expect(eventOf([stake(0)], { aborted: true })).toBeNull();
    expect(eventOf([stake(0)], { compute_success: false })).toBeNull();
    expect(eventOf([message('in', 0xf96f7324, 7n, beginCell().storeUint(0xf96f7324, 32))])).toBeNull();
  });
});
