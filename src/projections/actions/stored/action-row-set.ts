import { ACTION_STEP_TYPES, PROBLEM_TYPES, UNDETECTED_TYPES } from '../../../tables/actions/action-steps.ts';
import { ACTION_ACCOUNT_TYPES, ACTION_TYPES } from '../../../tables/actions/actions.ts';
import { parseAddress } from '../../../ton/address/address.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { pushAction } from './action-rows.ts';
import type { ClassifiedStep } from './classify-steps.ts';
import type { UndetectedAccount } from './undetected.ts';

const text = new TextEncoder();

/** Rows of classified steps, by landing table. */
export class ActionRows {
  readonly tables;
  readonly #actions = new TableBuilder('actions', ACTION_TYPES);
  readonly #accounts = new TableBuilder('action_accounts', ACTION_ACCOUNT_TYPES);
  readonly #steps = new TableBuilder('action_steps', ACTION_STEP_TYPES);
  readonly #undetected = new TableBuilder('undetected_tokens', UNDETECTED_TYPES);
  readonly #problems = new TableBuilder('action_problems', PROBLEM_TYPES);

  constructor() {
    this.tables = [this.#actions, this.#accounts, this.#steps, this.#undetected, this.#problems];
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }

  push(step: ClassifiedStep): void {
    this.pushTraces(step);
    this.pushCounts(step);
  }

  pushTraces({ position, outcomes }: ClassifiedStep): void {
    const tables = { actions: this.#actions, accounts: this.#accounts };
    for (const { trace, actions, problems, undetected } of outcomes) {
      for (const action of actions) pushAction(tables, { position, trace }, action);
      for (const { matcher, error } of problems) this.#pushProblem(position, trace.trace_id, matcher, error);
      for (const token of undetected) this.#pushUndetected(position, trace.trace_id, token);
    }
  }

  /** The row of the step as a whole. */
  pushCounts({ position, outcomes }: ClassifiedStep): void {
    const { col } = this.#steps;
    col.mc_seqno.push(position);
    col.finished.push(outcomes.length);
    col.actions.push(outcomes.reduce((sum, { actions }) => sum + actions.length, 0));
    col.failed.push(outcomes.filter(({ isFailed }) => isFailed).length);
    this.#steps.endRow();
  }

  #pushProblem(position: number, traceId: Uint8Array, matcher: string, error: unknown): void {
    const { col } = this.#problems;
    col.mc_seqno.push(position);
    col.trace_id.push(traceId);
    col.matcher.push(text.encode(matcher));
    col.error.push(text.encode(String(error)));
    this.#problems.endRow();
  }

  #pushUndetected(position: number, traceId: Uint8Array, { account, lt }: UndetectedAccount): void {
    const address = parseAddress(account);
    if (!address) return;
    const { workchain, hash } = address;
    const { col } = this.#undetected;
    col.mc_seqno.push(position);
    col.trace_id.push(traceId);
    col.workchain.push(workchain);
    col.account.push(hash);
    col.lt.push(lt);
    this.#undetected.endRow();
  }
}
