import type {
  Correction,
  CorrectionSource,
  CorrectionStart,
  RowReplacement,
} from '../../../engine/projection/correction.ts';
import type { ConsultedStore } from '../../../engine/projection/row-maker.ts';
import type { StoredInput } from '../../../engine/projection/stored-input.ts';
import { replaceRecorded } from '../../records/correction-records.ts';
import { type ActionsOptions, getStepOptions } from './actions-options.ts';
import { type ClassifiedStep, classifySteps } from './classify-steps.ts';
import { type DueToken, type FoundUpTo, readDue } from './due-corrections.ts';
import { decodeStep } from './finished-steps.ts';
import { hasTable } from './has-table.ts';
import { areStored, readStored, replaceActions } from './replaced-actions.ts';

/** Settings that actions are made with, and where their traces are read again. */
export interface CorrectionOptions extends ActionsOptions {
  readonly input: StoredInput;
}

const NOTHING_FOUND: FoundUpTo = { detections: -1, actions: -1 };

/** Classifies traces again when an account in them is detected after they were classified. */
export class TraceCorrections implements CorrectionSource {
  readonly #start: CorrectionStart;
  readonly #made: CorrectionOptions;
  /** What was found in this database of detections. */
  #found: FoundUpTo & { readonly in: string } = { ...NOTHING_FOUND, in: '' };

  constructor(start: CorrectionStart, made: CorrectionOptions) {
    this.#start = start;
    this.#made = made;
  }

  async due(confirmed: number): Promise<readonly Correction[]> {
    const { client, needed } = this.#start;
    const detections = await needed.consult(this.#made.detected, null);
    if (!detections || !(await hasTable(this.#start, 'corrections'))) return [];
    const { database, last } = detections;
    const found = this.#found.in === database ? this.#found : NOTHING_FOUND;
    if (confirmed <= found.actions && last <= found.detections) return [];
    const tokens = await readDue(this.#start, { client, ...detections }, confirmed, found);
    if (tokens.length === 0) this.#found = { detections: last, actions: confirmed, in: database };
    return [...Map.groupBy(tokens, ({ position }) => position)].map(([position, own]) => ({
      position,
      run: (replace) => this.#run(own, detections, replace),
    }));
  }

  async #run(
    tokens: readonly DueToken[],
    examined: ConsultedStore,
    replace: (rows: RowReplacement) => Promise<void>,
  ): Promise<void> {
    const ids = new Set(tokens.map(({ traceId }) => traceId));
    const step = await this.#classify(tokens[0]!.position, examined);
    const outcomes = step.outcomes.filter(({ trace }) => ids.has(toHex(trace.trace_id)));
    const stored = await readStored(this.#start, step.position, outcomes);
    const isCutOff = tokens.some(({ isBegun }) => isBegun);
    const isChanged = isCutOff || !areStored(stored, outcomes);
    const rows = isChanged ? replaceActions(step, outcomes, { stored, isCutOff }) : null;
    await replaceRecorded(this.#start, tokens, rows, replace);
  }

  /** Classifies all traces of a step: its row counts them. */
  async #classify(position: number, examined: ConsultedStore): Promise<ClassifiedStep> {
    const { client, codec, identity, input, needed, signal } = this.#start;
    const { chain, tokens } = this.#made;
    const range = { first: position, last: position };
    const [inChain, inTokens, records] = await Promise.all([
      needed.databaseWith(chain, position),
      needed.databaseWith(tokens, position),
      this.#made.input.records({ client, database: input }, range, {
        codec,
        network: identity.network,
        signal,
      }),
    ]);
    const [inStore, detections] = [(database: string) => ({ client, database }), { client, ...examined }];
    const stores = { chain: inStore(inChain), tokens: inStore(inTokens), detections };
    const steps = (records.get(position) ?? []).map(({ value }) => decodeStep(codec, value));
    const [classified] = await classifySteps(stores, steps, getStepOptions(identity, this.#made));
    return classified ?? { position, outcomes: [] };
  }
}

const toHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();
