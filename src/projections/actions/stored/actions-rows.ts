import type { RowMaker, RowStart } from '../../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../../engine/projection/row-set.ts';
import { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../platform/avro/schema-files.ts';
import { SCHEMAS } from '../../records/schemas.ts';
import { ActionRows } from './action-row-set.ts';
import { type ActionsOptions, getStepOptions } from './actions-options.ts';
import { type ClassifiedStep, classifySteps, type StepStores } from './classify-steps.ts';
import { type FinishedStep, readSteps } from './finished-steps.ts';

/** Bounds of what is classified at once: its transactions are in memory together. */
const MAX_TRANSACTIONS = 12_000;
const MAX_STEPS = 512;

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

  createRowSet = (): RowSet => {
    const rows = new ActionRows();
    const append = (parts: RowParts) => {
      for (const step of this.#take(parts)) rows.push(step);
    };
    return { tables: rows.tables, append, reset: () => rows.reset() };
  };

  async prepare(parts: readonly RowParts[]): Promise<void> {
    const { identity } = this.#getParts();
    for (const some of parts) {
      if (this.#classified.has(some)) continue;
      const done: ClassifiedStep[] = [];
      for (const window of splitWindows(readSteps(this.#codec, some))) {
        const last = window.at(-1)?.position ?? 0;
        const awaitDetections = () => this.#stores(last, last);
        const options = { ...getStepOptions(identity, this.#made), awaitDetections };
        done.push(...(await classifySteps(await this.#stores(last, null), window, options)));
      }
      this.#classified.set(some, done);
    }
  }

  confirmed(): void {}

  /** The databases of facts, once they have the steps. `awaited`: step of the detections that is waited for; null: none. */
  async #stores(last: number, awaited: number | null): Promise<StepStores> {
    const { client } = this.#start;
    const { needed } = this.#getParts();
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

  #getParts(): Required<Pick<RowStart, 'needed' | 'identity'>> {
    const { needed, identity, database } = this.#start;
    if (!needed || !identity)
      throw new TypeError(`${database}: actions are made with facts of other projections`);
    return { needed, identity };
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
