import { demand } from '../../body/refusal.ts';
import type { Context } from '../../match/context.ts';
import type { Block, BlockKind } from '../../tree/block.ts';
import { presentBlocks } from '../../tree/trace-tree.ts';
import { DEDUST_DEPOSIT, DEDUST_DEPOSIT_PARTIAL } from './dedust-deposit.ts';
import { type DexDeposit, type DexTarget, NO_SHARE } from './exchange-kinds.ts';

type Deposit = Block<DexDeposit>;

/** The two kinds of a deposit whose halves came by messages of their own, and what they give together. */
export interface Halves {
  readonly partial: BlockKind<DexDeposit>;
  readonly complete: BlockKind<DexDeposit>;
  /** @throws Refusal: the halves do not fit */
  readonly joined: (partial: DexDeposit, last: DexDeposit) => DexDeposit;
}

/** Deposits of a tree by their deposit contract. */
function byContract(roots: readonly Block[], { partial, complete }: Halves): Deposit[][] {
  const groups = new Map<string | null, Deposit[]>();
  for (const block of presentBlocks(roots)) {
    if (!block.is(complete) && !(block as Block).is(partial)) continue;
    const deposit = block as Deposit;
    const { depositContract } = deposit.data;
    groups.set(depositContract, [...(groups.get(depositContract) ?? []), deposit]);
  }
  return [...groups.values()];
}

/**
 * Joins a first-asset block and a both-assets block of one deposit contract. Nothing is joined where more than two deposits
 * of the trace use one contract.
 *
 * @throws Refusal: the halves do not fit; the trace has basic actions then
 */
export function joinHalves(context: Context, halves: Halves): void {
  const groups = byContract(context.roots, halves);
  if (groups.some(({ length }) => length > 2)) return;
  for (const group of groups) {
    const partial = group.find((one) => one.is(halves.partial));
    const last = group.find((one) => one.is(halves.complete));
    if (!partial || !last) continue;
    context.merge({
      kind: halves.complete,
      parts: [partial as Block, last as Block],
      apart: true,
      failed: last.failed,
      data: halves.joined(partial.data, last.data),
    });
  }
}

const getAssets = ([first, second]: readonly [DexTarget, DexTarget]): Set<string | null> =>
  new Set([first.asset, second.asset]);

function isSame(a: ReadonlySet<string | null>, b: ReadonlySet<string | null>): boolean {
  return a.size === b.size && a.isSubsetOf(b);
}

/** The final deposit with the first asset in front; target amounts keep the order of the final deposit. */
function joined(partial: DexDeposit, last: DexDeposit): DexDeposit {
  const wanted = getAssets(last.targets);
  demand(isSame(getAssets(partial.targets), wanted), 'halves of one deposit');
  const [one, other] = [partial.first, last.first];
  if (one.asset === other.asset) {
    const amount = (one.amount ?? 0n) + (other.amount ?? 0n);
    return { ...last, first: { ...one, amount }, second: NO_SHARE };
  }
  demand(isSame(new Set([one.asset, other.asset]), wanted), 'the assets of the deposit');
  const [first, second] = last.targets;
  return {
    ...last,
    first: one,
    second: other,
    targets: [
      { ...first, asset: one.asset },
      { ...second, asset: other.asset },
    ],
  };
}

/**
 * Joins the two halves of a dedust deposit.
 *
 * @throws Refusal: the halves do not fit; the trace has basic actions then
 */
export function joinDedustDeposits(context: Context): void {
  joinHalves(context, { partial: DEDUST_DEPOSIT_PARTIAL, complete: DEDUST_DEPOSIT, joined });
}
