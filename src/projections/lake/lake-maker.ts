import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { AvroCodec } from '../../platform/avro/avro-codec.ts';
import { loadSchemas } from '../../platform/avro/schema-files.ts';
import { unpackRecords } from '../records/pack-records.ts';
import { SCHEMAS } from '../records/schemas.ts';
import { splitWindows } from '../records/split-windows.ts';
import { LakeRowSet } from './lake-row-set.ts';
import { type LakeRows, type LakeSourceNames, makeRows } from './make-rows.ts';

/** Bound of the steps whose actions are read by one statement: their transactions are in memory together. */
const MAX_TRANSACTIONS = 24_000;

/** Rows of finished traces, from their actions and the messages of these. Stateless: rows follow from a step and the facts after it. */
export class LakeMaker implements RowMaker {
  readonly #start: RowStart;
  readonly #names: LakeSourceNames;
  readonly #codec = new AvroCodec(loadSchemas(SCHEMAS));
  /** Rows that were made ahead of `append`. */
  readonly #made = new WeakMap<RowParts, readonly LakeRows[]>();

  constructor(start: RowStart, names: LakeSourceNames) {
    this.#start = start;
    this.#names = names;
  }

  createRowSet = (): RowSet => new LakeRowSet((parts) => this.#take(parts));

  async prepare(parts: readonly RowParts[]): Promise<void> {
    for (const some of parts) {
      if (this.#made.has(some)) continue;
      const steps = unpackRecords(some).map(
        (record) => this.#codec.decodeAs('finished-traces', record).value,
      );
      const made: LakeRows[] = [];
      for (const window of splitWindows(steps, MAX_TRANSACTIONS)) {
        const positions = window.map(({ mc_seqno }) => Number(mc_seqno));
        made.push(await makeRows(this.#start, this.#names, positions));
      }
      this.#made.set(some, made);
    }
  }

  confirmed(): void {}

  #take(parts: RowParts): readonly LakeRows[] {
    const found = this.#made.get(parts);
    if (!found) throw new TypeError('rows of the lake are prepared before they are appended');
    return found;
  }
}
