import { demand, needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, call, log, optional, type Pattern } from '../../match/pattern.ts';
import type { Block } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import {
  carrier,
  findOperation,
  getIncoming,
  ownExcess,
  paidOut,
  sinceRelease13,
  tonPayout,
} from './dedust-v2-messages.ts';
import { type DexDeposit, type DexShare, depositKind } from './exchange-kinds.ts';

const CREDIT_ASSET = 0xdc5ddba1;
const JOIN = 0x25251ee0;
const DEPOSITED = 0x35df2e12;
const CREDIT_LIQUIDITY = 0x855afcbd;
const DEPOSIT_OPERATION = 0xc9a015da;

/** The pool was asked with both assets. */
export const DEDUST_V2_DEPOSIT = depositKind('dedust_v2_deposit_liquidity');
/** Only one asset, waiting in the deposit contract. */
export const DEDUST_V2_DEPOSIT_PARTIAL = depositKind('dedust_v2_deposit_liquidity_partial');

/** deposit#c9a015da x:Coins y:Coins min_liquidity:Coins … */
function readTargets(money: Block): readonly [bigint, bigint] {
  const operation = needed(findOperation(money), 'the operation');
  demand(operation.peekOp() === DEPOSIT_OPERATION, 'the operation of a deposit');
  operation.skip(32);
  return [operation.coins(), operation.coins()];
}

/** credit_asset#dc5ddba1 query is_x:Bool amount:Coins */
function readCredit(credit: Block) {
  const body = credit.body().skip(64);
  return { isX: body.bit(), amount: body.coins() };
}

/** The two sides of a deposit of which one asset is seen here. */
function buildSides(found: Found, credit: Block, amounts: readonly [bigint | null, bigint | null]) {
  const money = found.get('carrier');
  const { asset, sourceWallet: wallet, source } = getIncoming(money);
  const { isX } = readCredit(credit);
  const [x, y] = readTargets(money);
  const side = (isOwn: boolean, amount: bigint | null): DexShare =>
    isOwn ? { asset, amount, wallet } : { asset: null, amount, wallet: null };
  const targets: DexDeposit['targets'] = [
    { asset: isX ? asset : null, amount: x },
    { asset: isX ? null : asset, amount: y },
  ];
  return { source, first: side(isX, amounts[0]), second: side(!isX, amounts[1]), targets };
}

/** join#25251ee0 query ^Config x:Coins y:Coins initiator */
function readJoin(block: Block) {
  const body = block.body().skip(64);
  body.ref();
  return { amounts: [body.coins(), body.coins()] as const, initiator: body.address() };
}

/** deposit#35df2e12 x:Coins y:Coins liquidity:Coins initiator … */
function readDeposited(block: Block) {
  const body = block.body();
  return { amounts: [body.coins(), body.coins()] as const, lpTokens: body.coins() };
}

/** Assets that were not needed; all of them go to the initiator. */
function getRefunds(found: Found, initiator: string | null): DexDeposit['excesses'] {
  return found.all('refund').map((block) => {
    const receiver = block.is(JETTON_TRANSFER)
      ? (block as Block<JettonTransfer>).data.receiver
      : block.destination;
    demand(receiver === initiator, 'a refund to who began');
    const { asset, amount } = paidOut(block);
    return { asset, amount: amount ?? 0n };
  });
}

function buildDeposit(block: Block, found: Found, context: Context): Block {
  const join = readJoin(block);
  const done = found.maybe('deposited');
  const { amounts, lpTokens } = done ? readDeposited(done) : { ...join, lpTokens: null };
  const excesses = getRefunds(found, join.initiator);
  demand(done !== null || excesses.length > 0, 'an end of the deposit');
  const { first, second, targets } = buildSides(found, found.get('credit'), amounts);
  return context.merge({
    kind: DEDUST_V2_DEPOSIT,
    parts: [block, ...found.blocks],
    failed: !done,
    data: {
      dex: 'dedust_v2',
      sender: join.initiator,
      pool: block.destination,
      depositContract: block.source,
      first,
      second,
      targets,
      lpTokens,
      excesses,
    },
  });
}

function buildPartial(block: Block, found: Found, context: Context): Block {
  const { isX, amount } = readCredit(block);
  const { source, first, second, targets } = buildSides(found, block, isX ? [amount, null] : [null, amount]);
  return context.merge({
    kind: DEDUST_V2_DEPOSIT_PARTIAL,
    parts: [block, ...found.blocks],
    data: {
      dex: 'dedust_v2',
      sender: source,
      pool: block.source,
      depositContract: block.destination,
      first,
      second,
      targets,
      lpTokens: null,
      excesses: [],
    },
  });
}

const refund = optional(blockOfKind(JETTON_TRANSFER, { label: 'refund' }));
const refunds: readonly Pattern[] = [
  optional(call(CREDIT_LIQUIDITY)),
  refund,
  refund,
  optional(anyOf([tonPayout], { label: 'refund' })),
  ownExcess,
];
const credited = call(CREDIT_ASSET, { label: 'credit', parent: carrier });

/**
 * DeDust V2 deposits (v3-actions-rules 12.2): money with the operation 0xc9a015da → 0xdc5ddba1 to the deposit contract.
 * With both assets it sends 0x25251ee0 to the pool, which emits the log 0x35df2e12, or only refunds (rejected: failed).
 */
export const dedustV2Deposits: readonly Matcher[] = [
  {
    name: 'dedust_v2_deposit',
    after: ['dedust_v2_withdraw'],
    before: ['dedust_v2_claim_fees'],
    pattern: sinceRelease13(
      call(JOIN, {
        parent: credited,
        children: [log(DEPOSITED, { label: 'deposited' }), ...refunds],
        build: buildDeposit,
      }),
    ),
  },
  {
    name: 'dedust_v2_rejected_deposit',
    after: ['dedust_v2_deposit'],
    before: ['dedust_v2_claim_fees'],
    pattern: sinceRelease13(call(JOIN, { parent: credited, children: refunds, build: buildDeposit })),
  },
  {
    name: 'dedust_v2_deposit_partial',
    after: ['dedust_v2_rejected_deposit'],
    before: ['dedust_v2_claim_fees'],
    pattern: sinceRelease13(call(CREDIT_ASSET, { parent: carrier, build: buildPartial })),
  },
];
