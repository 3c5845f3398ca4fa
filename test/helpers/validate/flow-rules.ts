import { addMoney, grams, type Money, moneyText, sameMoney } from '../../../src/ton/currencies/money.ts';
import type { AccountChanges } from './account-rules.ts';
import type { Descriptors } from './message-rules.ts';
import type { ValidatedBlock } from './validated-block.ts';

/** Checks the value flow: imported and created value equals the value that stays, leaves and is collected. */
export function checkFlow(
  { flow, findings }: ValidatedBlock,
  { imported, exported }: Descriptors,
  { fees }: AccountChanges,
): void {
  const sources = [
    flow.fromPrevBlk,
    flow.imported,
    flow.feesImported,
    flow.recovered,
    flow.created,
    flow.minted,
  ];
  const sinks = [flow.toNextBlk, flow.exported, flow.feesCollected, flow.burned];
  money('value flow', addMoney(...sources), addMoney(...sinks));
  money('imported', imported.value, flow.imported);
  money('exported', exported, flow.exported);
  const collected = addMoney(fees, grams(imported.fees), flow.created, flow.feesImported);
  money('fees collected', collected, addMoney(flow.feesCollected, flow.burned));

  function money(rule: string, expected: Money, found: Money): void {
    if (sameMoney(expected, found)) findings.holds(rule, 'ValueFlow', true);
    else findings.equal(rule, 'ValueFlow', moneyText(expected), moneyText(found));
  }
}
