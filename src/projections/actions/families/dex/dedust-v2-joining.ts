import type { Context } from '../../match/context.ts';
import { joinHalves } from './dedust-joining.ts';
import { DEDUST_V2_DEPOSIT, DEDUST_V2_DEPOSIT_PARTIAL } from './dedust-v2-deposit.ts';
import type { DexDeposit, DexShare } from './exchange-kinds.ts';

/** A side of the deposit with the asset and wallet of the half that filled it. */
function filled(own: DexShare, other: DexShare): DexShare {
  return { ...own, asset: own.asset ?? other.asset, wallet: own.wallet ?? other.wallet };
}

/** The last half, which states the amounts, with the first half's facts about its side. */
function joined(partial: DexDeposit, last: DexDeposit): DexDeposit {
  const [x, y] = last.targets;
  const [partialX, partialY] = partial.targets;
  return {
    ...last,
    first: filled(last.first, partial.first),
    second: filled(last.second, partial.second),
    targets: [
      { ...x, asset: x.asset ?? partialX.asset },
      { ...y, asset: y.asset ?? partialY.asset },
    ],
  };
}

/** Joins the two halves of a DeDust V2 deposit (v3-actions-rules 12.2). */
export function joinDedustV2Deposits(context: Context): void {
  joinHalves(context, { partial: DEDUST_V2_DEPOSIT_PARTIAL, complete: DEDUST_V2_DEPOSIT, joined });
}
