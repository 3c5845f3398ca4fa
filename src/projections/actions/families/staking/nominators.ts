import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { blockThat } from '../../match/pattern.ts';
import { TON_TRANSFER, type TonTransfer } from '../../tree/basic-blocks.ts';
import type { Block } from '../../tree/block.ts';
import { depositKind, requestKind, withdrawalKind } from './staking-kinds.ts';

/** Code of ton-blockchain/nominator-pool. */
const POOL_CODE = 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=';
/** Asks a pool to process the withdrawals that wait. */
const PROCESS_WITHDRAWALS = 0x00000002;

const DEPOSIT = depositKind('nominator_pool_deposit');
/** A payout is a request that was answered: both have one inner name. */
const REQUEST_NAME = 'nominator_pool_withdraw_request';
const REQUEST = requestKind(REQUEST_NAME);
const WITHDRAWAL = withdrawalKind(REQUEST_NAME);

const isPool = (address: string | null, context: Context): boolean =>
  context.account(address)?.codeHash === POOL_CODE;

/** A transfer to a pool whose whole comment is the letter. */
function ordered(letter: string) {
  return (block: Block, context: Context): boolean =>
    block.is(TON_TRANSFER) &&
    (block.data as TonTransfer).comment.text === letter &&
    isPool(block.destination, context);
}

const getParties = (block: Block) => ({
  provider: 'nominator' as const,
  holder: block.source,
  wallet: null,
  pool: block.destination,
  asset: null,
});

function buildDeposit(block: Block, found: Found, context: Context): Block {
  return context.merge({
    kind: DEPOSIT,
    parts: [block, ...found.blocks],
    failed: block.failed,
    data: { ...getParties(block), amount: block.value, tokensMinted: null, sourceAsset: null },
  });
}

/** Payout of the pool: the one transfer if it is more than what was sent, the earlier one of two. */
function findPayout(request: Block, transfers: readonly Block[]): Block | null {
  const [first, second] = transfers;
  if (transfers.length === 1) return first!.value > request.value ? first! : null;
  if (transfers.length !== 2) return null;
  return first!.first.startLt < second!.first.startLt ? first! : second!;
}

function buildRequest(block: Block, found: Found, context: Context): Block {
  const transfers = block.children.filter((child) => child.is(TON_TRANSFER));
  const payout = findPayout(block, transfers);
  const merged = transfers.length <= 2 ? transfers : [];
  const parts = [block, ...found.blocks, ...merged];
  const common = { ...getParties(block), payoutNft: null };
  return payout
    ? context.merge({
        kind: WITHDRAWAL,
        parts,
        failed: block.failed,
        data: { ...common, amount: payout.value, tokensBurnt: null },
      })
    : context.merge({
        kind: REQUEST,
        parts,
        failed: block.failed,
        data: { ...common, amount: null, tokensMinted: null },
      });
}

/** A transfer that a pool sends while it processes withdrawals. */
function isProcessed({ previous, kind }: Block, context: Context): boolean {
  return (
    kind.name === 'ton_transfer' &&
    previous?.kind.name === 'call_contract' &&
    previous.opcode === PROCESS_WITHDRAWALS &&
    isPool(previous.destination, context)
  );
}

function buildProcessed(block: Block, _found: Found, context: Context): Block {
  return context.merge({
    kind: WITHDRAWAL,
    parts: [block],
    data: {
      provider: 'nominator',
      holder: block.destination,
      pool: block.previous!.destination,
      asset: null,
      amount: block.value,
      payoutNft: null,
      tokensBurnt: null,
    },
  });
}

/**
 * Nominator pools (v3-actions 3, v3-actions-rules 4.2 and 6): transfers with the comment `d` or `w` to an account with
 * the pool's code. Also the transfers that a pool sends when opcode 2 makes it process withdrawals.
 */
export const nominators: readonly Matcher[] = [
  {
    name: 'nominator_deposit',
    after: ['vesting_add_whitelist'],
    before: ['jetton_transfer'],
    pattern: blockThat(ordered('d'), { marks: [TON_TRANSFER.name], excesses: 'first', build: buildDeposit }),
  },
  {
    name: 'nominator_request',
    after: ['nominator_deposit'],
    before: ['jetton_transfer'],
    pattern: blockThat(ordered('w'), { marks: [TON_TRANSFER.name], excesses: 'first', build: buildRequest }),
  },
  {
    name: 'nominator_withdrawal',
    after: ['nominator_request'],
    before: ['jetton_transfer'],
    pattern: blockThat(isProcessed, { marks: [PROCESS_WITHDRAWALS], build: buildProcessed }),
  },
];
