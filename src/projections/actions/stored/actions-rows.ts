import type { RowMaker, RowStart } from '../../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../../engine/projection/row-set.ts';
import { AvroCodec } from '../../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../../platform/avro/schema-files.ts';
import { SCHEMAS } from '../../records/schemas.ts';
import { splitWindows } from '../../records/split-windows.ts';
import { ActionRows } from './action-row-set.ts';
import { type ActionsOptions, getStepOptions } from './actions-options.ts';
import { type ClassifiedStep, classifySteps, type StepStores } from './classify-steps.ts';
import { readSteps } from './finished-steps.ts';

/** Bound of what is classified at once: its transactions are in memory together. */
const MAX_TRANSACTIONS = 12_000;

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
      for (const window of splitWindows(readSteps(this.#codec, some), MAX_TRANSACTIONS)) {
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
