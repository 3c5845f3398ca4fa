import { expect } from 'vitest';
import { type ClassifyOptions, classifyTrace } from '../../src/projections/actions/classify.ts';
import { addPools } from '../../src/projections/actions/find-pools.ts';
import { LoadedFacts } from '../../src/projections/actions/model/contract-facts.ts';
import type { Trace } from '../../src/projections/actions/model/trace.ts';
import { recordedColumns } from '../../src/projections/actions/out/recorded-columns.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import type { AccountFacts } from '../../src/ton/contracts/account-facts.ts';

export type Body = (builder: CellBuilder) => void;
/** Facts by account. */
export type Known = Readonly<Record<string, AccountFacts>>;

/** Columns and details of the top-level actions; no rule may fail. */
export function classified(trace: Trace, known: Known = {}, options: ClassifyOptions = {}) {
  const facts = new LoadedFacts(Object.entries(known));
  const { actions, problems } = classifyTrace(trace, addPools(trace, facts), options);
  expect(problems).toEqual([]);
  return actions
    .filter(({ parentActionId }) => parentActionId === null)
    .map((action) => ({
      ...recordedColumns(action),
      type: action.type,
      success: action.success,
      id: action.actionId,
      startLt: action.startLt,
      details: action.details,
    }));
}

/** A body that begins with a query id, 7. */
export const withQuery =
  (write: Body = () => {}): Body =>
  (builder) =>
    write(builder.bigUint(7n, 64));

export function cellOf(write: Body): Cell {
  const builder = new CellBuilder();
  write(builder);
  return builder.cell();
}

export const jettonWallet = (owner: string, jetton: string): AccountFacts => ({
  jettonWallet: { owner, jetton },
});
