import { BOUNCED_OP } from '../../../../ton/messages/bounced.ts';
import { needed } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Found } from '../../match/found.ts';
import type { Matcher } from '../../match/matcher.ts';
import { anyOf, blockOfKind, blockThat, call } from '../../match/pattern.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { JETTON_TRANSFER, type JettonTransfer } from '../jetton/jetton-transfer.ts';
import { evaaAssets } from './evaa-assets.ts';
import { assetText, commentTransfer, isTon, userCall } from './evaa-messages.ts';

const LIQUIDATE = 0x00000003;
const LIQUIDATE_USER = 0x00000031;
const SATISFIED = 0x00000311;
const UNSATISFIED = 0x0000031f;
const SUCCESS = 0x0000311a;
const REPORT = 0x0000311d;
const FAIL = 0x0000311f;

/** Errors that 0x31f names. */
const REASONS: Readonly<Record<number, string>> = {
  57345: 'master_liquidating_too_much',
  57346: 'user_withdraw_in_progress',
  57347: 'not_liquidatable',
  57348: 'execution_crashed',
  57349: 'min_collateral_not_satisfied',
  57350: 'user_not_enough_collateral',
  57351: 'user_liquidating_too_much',
  57352: 'master_not_enough_liquidity',
  57353: 'liquidation_prices_missing',
};

/** Collateral of a borrower sold for the debt. */
interface Liquidation {
  readonly source: string | null;
  readonly borrower: string | null;
  readonly contract: string | null;
  readonly collateralId: bigint;
  /** 0 if it failed. */
  readonly collateral: bigint;
  readonly debt: bigint;
  readonly failReason: string | null;
  /** Jetton masters by asset id. */
  readonly assets: ReadonlyMap<bigint, string>;
  /** True for the rules of release 1.3. */
  readonly is13: boolean;
}

const LIQUIDATION: BlockKind<Liquidation> = {
  name: 'evaa_liquidate',
  type: 'evaa_liquidate',
  columns: (one) => ({
    source: one.source,
    destination: one.borrower,
    destination_secondary: one.contract,
    asset: one.is13 ? null : one.collateralId.toString(),
    amount: one.collateral,
    evaa_liquidate_data: {
      asset_id: assetText(one.collateralId),
      fail_reason: one.failReason,
      debt_amount: one.debt,
    },
  }),
  details: (one) => ({
    fail_reason: one.failReason,
    debt_amount: one.debt,
    source: one.source,
    borrower: one.borrower,
    borrower_contract: one.contract,
    collateral: null,
    asset_id: assetText(one.collateralId),
    asset: one.assets.get(one.collateralId) ?? null,
    is_known_asset: isTon(one.collateralId) || one.assets.has(one.collateralId),
    amount: one.collateral,
  }),
};

/** query borrower:MsgAddress liquidator:MsgAddress collateral:uint256 uint64 uint2 amount:uint64: of a call or a payload */
function readRequest(block: Block) {
  const body = block.is(JETTON_TRANSFER)
    ? needed((block.data as JettonTransfer).request.forwardPayload, 'the payload')
        .clone()
        .skip(32)
    : block.body();
  const borrower = body.skip(64).address();
  body.address();
  const collateralId = body.big(256);
  return { borrower, collateralId, collateral: 0n, debt: body.skip(64 + 2).u64() };
}

/**
 * query owner:MsgAddress liquidator:MsgAddress given:uint256
 * ^(int64 liquidatable:uint64 uint64 int64 collateral:uint256 int64 reward:uint64 …)
 */
function readSatisfied(block: Block) {
  const body = block.body().skip(64);
  const borrower = body.address();
  body.address();
  const amounts = body.skip(256).ref().skip(64);
  const debt = amounts.u64();
  const collateralId = amounts.skip(64 + 64).big(256);
  return { borrower, collateralId, debt, collateral: amounts.skip(64).u64() };
}

/** query owner:MsgAddress liquidator:MsgAddress asset:uint256 ^(uint64 asset:uint256 uint64 uint64 ^… error:uint32) */
function unsatisfiedReason(block: Block): string {
  const body = block.body().skip(64);
  body.address();
  body.address();
  const error = body
    .skip(256)
    .ref()
    .skip(64 + 256 + 64 + 64)
    .uint(32);
  return REASONS[error] ?? 'unknown';
}

function getFailReason(found: Found): string | null {
  const unsatisfied = found.maybe('unsatisfied');
  if (found.maybe('satisfied')) return null;
  if (unsatisfied) return unsatisfiedReason(unsatisfied);
  return found.maybe('user') ? 'master_not_enough_liquidity' : 'immediate_rejection';
}

function buildLiquidation(block: Block, found: Found, context: Context): Block {
  const failReason = getFailReason(found);
  const satisfied = found.maybe('satisfied');
  const isJetton = block.is(JETTON_TRANSFER);
  return context.merge({
    kind: LIQUIDATION,
    parts: [block, ...found.blocks],
    failed: failReason !== null,
    data: {
      ...(satisfied ? readSatisfied(satisfied) : readRequest(block)),
      source: isJetton ? (block.data as JettonTransfer).sender : (block as Block).source,
      contract: found.maybe('user')?.destination ?? null,
      failReason,
      assets: evaaAssets(context.rules.isTestnet),
      is13: context.rules.release === '1.3',
    },
  });
}

/** A call with op 3, or jettons with it in front of their payload. */
function isLiquidation(block: Block): boolean {
  if (block.is(JETTON_TRANSFER)) return (block.data as JettonTransfer).payloadOp === LIQUIDATE;
  return block.kind.name === 'call_contract' && block.opcode === LIQUIDATE;
}

const payout = anyOf([call([REPORT, FAIL]), blockOfKind(JETTON_TRANSFER)]);
const done = userCall(SUCCESS, { child: commentTransfer });

/**
 * evaa_liquidate (v3-actions 4.6, v3-actions-rules 7): op 3 → 0x31 (after a header) → 0x311 with 0x311a and the payout.
 * TON that 0x311a sends on with the comment of a liquidation is part of it. It fails with 0x311 → 0x311f, with 0x31f,
 * which names the reason, or if the start was bounced or refunded at once.
 */
export const evaaLiquidate: readonly Matcher[] = [
  {
    name: 'evaa_liquidate',
    after: ['evaa_withdraw'],
    pattern: blockThat(isLiquidation, {
      marks: [JETTON_TRANSFER.name, LIQUIDATE],
      child: anyOf([
        userCall(LIQUIDATE_USER, {
          label: 'user',
          child: anyOf([
            call(SATISFIED, { label: 'satisfied', children: [done, payout] }),
            call(SATISFIED, { children: [call(FAIL), payout] }),
            call(UNSATISFIED, { label: 'unsatisfied', child: payout }),
          ]),
        }),
        call(BOUNCED_OP),
        blockOfKind(JETTON_TRANSFER),
      ]),
      build: buildLiquidation,
    }),
  },
];
