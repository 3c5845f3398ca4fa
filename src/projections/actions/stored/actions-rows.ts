import type { NeededStore, RowMaker, RowStart } from '../../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../../engine/projection/row-set.ts';
import { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../platform/avro/schema-files.ts';
import { TableBuilder } from '../../../ton/columns/table-builder.ts';
import { isTestnet } from '../../../ton/test-network.ts';
import { SCHEMAS } from '../../records/schemas.ts';
import type { ClassifyOptions } from '../classify.ts';
import type { RulesRelease } from '../match/context.ts';
import { ACTION_TABLES } from './action-columns.ts';
import { pushAction } from './action-rows.ts';
import { type ClassifiedStep, classifySteps } from './classify-steps.ts';
import type { FactStores } from './fact-book.ts';
import { type FinishedStep, readSteps } from './finished-steps.ts';

/** Bounds of what is classified at once: its transactions are in memory together. */
const MAX_TRANSACTIONS = 4_000;
const MAX_STEPS = 512;

const text = new TextEncoder();

/** Settings that actions are made with. */
export interface ActionsOptions {
  /** Names of the projections that facts are looked up in. */
  readonly chain: string;
  readonly tokens: string;
  readonly detected: string;
  readonly release: RulesRelease;
  /** Default: every family's. */
  readonly matchers?: ClassifyOptions['matchers'];
}

/** Actions of finished traces. Stateless: rows follow from a step and from the facts after it. */
export class ActionsMaker implements RowMaker {
  readonly #start: RowStart;
  readonly #made: ActionsOptions;
  readonly #codec = new AvroCodec(loadSchemas(SCHEMAS));
  /** Steps that were classified ahead of `append`. */
  readonly #classified = new WeakMap<RowParts, readonly ClassifiedStep[]>();

  constructor(start: RowStart, made: ActionsOptions) {
    this.#start = start;
    this.#made = made;
  }

  createRowSet = (): RowSet => new ActionRows((parts) => this.#take(parts));

  async prepare(parts: readonly RowParts[]): Promise<void> {
    for (const some of parts) {
      if (this.#classified.has(some)) continue;
      const done: ClassifiedStep[] = [];
      for (const window of splitWindows(readSteps(this.#codec, some))) {
        const last = window.at(-1)?.position ?? 0;
        const awaitDetections = () => this.#stores(last, last);
        const options = { ...this.#options(), awaitDetections };
        done.push(...(await classifySteps(await this.#stores(last, null), window, options)));
      }
      this.#classified.set(some, done);
    }
  }

  confirmed(): void {}

  /** The databases of facts, once they have the steps. `awaited`: step of the detections that is waited for; null: none. */
  async #stores(last: number, awaited: number | null): Promise<FactStores> {
    const { client } = this.#start;
    const needed = this.#needed();
    const store = async (projection: string) => ({
      client,
      database: await needed.databaseWith(projection, last),
    });
    const [chain, tokens, detections] = await Promise.all([
      store(this.#made.chain),
      store(this.#made.tokens),
      needed.consult(this.#made.detected, awaited),
    ]);
    return { chain, tokens, detections: detections && { client, ...detections } };
  }

  #options(): ClassifyOptions {
    const { identity } = this.#start;
    const { release, matchers } = this.#made;
    return {
      release,
      isTestnet: identity !== undefined && isTestnet(identity),
      ...(matchers && { matchers }),
    };
  }

  #needed(): NeededStore {
    const { needed, database } = this.#start;
    if (!needed) throw new TypeError(`${database}: actions are made with facts of other projections`);
    return needed;
  }

  #take(parts: RowParts): readonly ClassifiedStep[] {
    const found = this.#classified.get(parts);
    if (!found) throw new TypeError('rows of actions are prepared before they are appended');
    return found;
  }
}

/** Steps in order, cut where too much would be in memory at once. */
function* splitWindows(steps: readonly FinishedStep[]): Generator<readonly FinishedStep[]> {
  let window: FinishedStep[] = [];
  let transactions = 0;
  for (const step of steps) {
    const own = step.traces.reduce((sum, trace) => sum + trace.transactions.length, 0);
    if (window.length > 0 && (transactions + own > MAX_TRANSACTIONS || window.length === MAX_STEPS)) {
      yield window;
      [window, transactions] = [[], 0];
    }
    window.push(step);
    transactions += own;
  }
  if (window.length > 0) yield window;
}

class ActionRows implements RowSet {
  readonly tables;
  readonly #take: (parts: RowParts) => readonly ClassifiedStep[];
  readonly #actions = new TableBuilder('actions', ACTION_TABLES.actions);
  readonly #accounts = new TableBuilder('action_accounts', ACTION_TABLES.action_accounts);
  readonly #steps = new TableBuilder('action_steps', ACTION_TABLES.action_steps);
  readonly #problems = new TableBuilder('action_problems', ACTION_TABLES.action_problems);

  constructor(take: (parts: RowParts) => readonly ClassifiedStep[]) {
    this.#take = take;
    this.tables = [this.#actions, this.#accounts, this.#steps, this.#problems];
  }

  append(parts: RowParts): void {
    for (const step of this.#take(parts)) this.#push(step);
  }

  reset(): void {
    for (const table of this.tables) table.reset();
  }

  #push({ position, outcomes }: ClassifiedStep): void {
    const tables = { actions: this.#actions, accounts: this.#accounts };
    for (const { trace, actions, problems } of outcomes) {
      for (const action of actions) pushAction(tables, { position, trace }, action);
      for (const { matcher, error } of problems) this.#pushProblem(position, trace.trace_id, matcher, error);
    }
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
}
