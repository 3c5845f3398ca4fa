import { ELECTOR_OP } from '../../../../ton/messages/elector.ts';
import { demand } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { call, optional } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';

const ELECTOR = `-1:${'3'.repeat(64)}`;

/** A validator's stake on its way to or from the elector. */
interface ElectionStake {
  readonly holder: string | null;
  /** null: nothing came back. */
  readonly amount: bigint | null;
}

function stakeKind(name: string): BlockKind<ElectionStake> {
  return {
    name,
    type: name,
    columns: ({ holder, amount }) => ({ source: holder, amount }),
    details: ({ holder, amount }) => ({ stake_holder: holder, amount: amount ?? undefined }),
  };
}

const ELECTION_DEPOSIT = stakeKind('election_deposit');
const ELECTION_RECOVER = stakeKind('election_recover');

function buildDeposit(block: Block, found: Found, context: Context): Block {
  demand(block.destination === ELECTOR, 'the elector');
  return context.merge({
    kind: ELECTION_DEPOSIT,
    parts: [block, ...found.blocks],
    failed: found.maybe('answer') === null,
    data: { holder: block.source, amount: block.value },
  });
}

function buildRecover(block: Block, found: Found, context: Context): Block {
  demand(block.destination === ELECTOR, 'the elector');
  const answer = found.maybe('answer');
  return context.merge({
    kind: ELECTION_RECOVER,
    parts: [block, ...found.blocks],
    failed: answer === null,
    data: { holder: block.source, amount: answer?.value ?? null },
  });
}

/** The elector's answer; what it sends on is not taken. */
const answer = (op: number) => optional(call(op, { label: 'answer', excesses: 'leave' }));

/**
 * election_deposit: 0x4e73744b to the elector, failed unless answered by 0xf374484c; the amount is the message's value.
 * election_recover: 0x47657424 to the elector, failed unless answered by 0xf96f7324, whose value is the amount.
 */
export const elections: readonly Matcher[] = [
  {
    name: 'election_deposit',
    after: ['change_dns'],
    pattern: call(ELECTOR_OP.newStake, { child: answer(ELECTOR_OP.stakeAccepted), build: buildDeposit }),
  },
  {
    name: 'election_recover',
    after: ['election_deposit'],
    pattern: call(ELECTOR_OP.recover, { child: answer(ELECTOR_OP.recovered), build: buildRecover }),
  },
];
