import type { NewRecord, StoreDatabase, StoredInput } from '../../engine/projection/stored-input.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import type { DetectedContractKind } from '../../ton/contracts/codes/kind-methods.ts';
import type { TokenKind } from '../../ton/contracts/token-state.ts';
import { CellsNotReadError, CodeSearch, type FindCells } from './code-search.ts';
import type {
  DetectedContract,
  DetectedToken,
  DetectionStore,
  DetectKind,
  StateOutcome,
} from './detection.ts';
import { Detector, type Examined } from './detector.ts';
import { CONTRACTS, TOKENS } from './families.ts';
import { HiddenMethodSearch } from './hidden-method-search.ts';
import { toRecorded } from './outcome-record.ts';
import { buildRecords } from './outcome-records.ts';

/** A call examines for this long at most, so that the lease of the topic is renewed, ms. */
const CALL_MS = 4_000;
/** After a call, the detector rests this many times longer than the call took: most of a core is left to others. */
const REST_SHARE = 4;
const MAX_REST_MS = 10_000;
/** Outcomes that wait for the end of a sweep while no further step is confirmed. */
const MAX_HELD = 20_000;

/** Databases of the served versions that the detector reads, at one moment. */
export interface DetectionSources {
  /** Database of `base`, and the steps that may be read from it. */
  readonly states: string;
  readonly steps: PositionRange;
  /** First step of `contracts`. */
  readonly first: number;
  readonly detections: string;
}

/** What the detector needs of others. */
export interface DetectorPorts {
  readonly client: StoreClient;
  readonly network: string;
  /** Null while one of the projections cannot be read. */
  sources(): DetectionSources | null;
  /** Position of the topic's last step; -1 if it is empty. */
  tail(): Promise<number>;
  readonly detectToken: DetectKind<TokenKind, DetectedToken>;
  readonly detectContract: DetectKind<DetectedContractKind, DetectedContract>;
  readonly findCells: FindCells;
}

/** Detectors of one version of each projection. */
interface Detectors {
  readonly store: DetectionStore;
  readonly codes: CodeSearch;
  readonly hidden: HiddenMethodSearch;
  readonly tokens: Detector<TokenKind, DetectedToken>;
  readonly others: Detector<DetectedContractKind, DetectedContract>;
}

const NOTHING: ReadonlyMap<number, readonly NewRecord[]> = new Map();

/**
 * The records of the topic `detections`. A step's record has the outcomes that were found when the step was confirmed.
 * If a sweep takes long, later steps have the rest: the last confirmed step waits until everything is examined.
 */
export class DetectionFeed {
  readonly #ports: DetectorPorts;
  #detectors: Detectors | null = null;
  /** Outcomes that have no record yet. */
  #held: { readonly tokens: StateOutcome[]; readonly others: StateOutcome[] } = none();
  #restUntil = Number.NEGATIVE_INFINITY;

  constructor(ports: DetectorPorts) {
    this.#ports = ports;
  }

  /** Forgets what was examined: outcomes that have no record are found again. */
  begin = (): void => {
    this.#detectors = null;
    this.#held = none();
  };

  /** See `StepFeed.records`; none while the other projections have to catch up, or the detector rests. */
  records: StoredInput['records'] = async (store, range, encoding) => {
    const began = performance.now();
    const sources = this.#ports.sources();
    if (began < this.#restUntil || !sources || !isReadable(sources, range)) return NOTHING;
    const isComplete = await this.#examine(this.#open(store, sources), range, began + CALL_MS).catch(
      (error: unknown) => {
        this.begin();
        throw error;
      },
    );
    this.#restUntil = performance.now() + Math.min(MAX_REST_MS, REST_SHARE * (performance.now() - began));
    // The last step waits for the rest of the outcomes: there may be no further step to carry them.
    const isWhole = isComplete || this.#held.tokens.length + this.#held.others.length >= MAX_HELD;
    const part = isWhole ? range : { ...range, last: range.last - 1 };
    if (part.last < part.first) return NOTHING;
    return buildRecords(place(this.#take(part), part), part, encoding);
  };

  /** Removes the held outcomes of states up to the end of a range. */
  #take({ last }: PositionRange): readonly StateOutcome[] {
    const all = [...this.#held.tokens, ...this.#held.others];
    const isDue = ({ state }: StateOutcome) => state.position <= last;
    this.#held = {
      tokens: this.#held.tokens.filter((one) => !isDue(one)),
      others: this.#held.others.filter((one) => !isDue(one)),
    };
    return all.filter(isDue);
  }

  async #examine(detectors: Detectors, { last }: PositionRange, end: number): Promise<boolean> {
    const { store, tokens, others } = detectors;
    const isStored = await this.#isStored(store);
    const isSearched = !isStored || (await searchCodes(detectors, last));
    const examine = async <F>(
      held: StateOutcome[],
      run: (canBegin: boolean) => Promise<Examined<F>>,
    ): Promise<boolean> => {
      const { outcomes, isComplete } = await run(isStored && held.length === 0);
      held.push(...(outcomes as readonly StateOutcome[]));
      return isComplete;
    };
    const areTokensDone = await examine(this.#held.tokens, (canBegin) => tokens.examine(last, end, canBegin));
    const areOthersDone = await examine(this.#held.others, (canBegin) => others.examine(last, end, canBegin));
    return isSearched && areTokensDone && areOthersDone;
  }

  /** Whether the tables have every record of the topic. */
  async #isStored({ client, detections }: DetectionStore): Promise<boolean> {
    const tail = await this.#ports.tail();
    if (tail < 0) return true;
    const { rows } = await client.queryRows<[number]>(
      `SELECT toInt64(max(last)) FROM ${detections}.confirmed HAVING count() > 0`,
      { route: 'detections/confirmed' },
    );
    return Number(rows[0]?.[0] ?? -1) >= tail;
  }

  /** Detectors of the served versions: another version is examined from the beginning. */
  #open({ database: contracts }: StoreDatabase, { states, detections }: DetectionSources): Detectors {
    const { client, network, findCells, detectToken, detectContract } = this.#ports;
    const known = this.#detectors;
    const store = { client, network, states, contracts, detections };
    const isSame =
      known?.store.states === states &&
      known.store.contracts === contracts &&
      known.store.detections === detections;
    if (known && isSame) return known;
    this.#held = none();
    this.#detectors = {
      store,
      codes: new CodeSearch(store, findCells),
      hidden: new HiddenMethodSearch(store, findCells),
      tokens: new Detector(store, TOKENS, detectToken),
      others: new Detector(store, CONTRACTS, detectContract),
    };
    return this.#detectors;
  }
}

/** Looks for the methods of codes that no state shows whole; false if cells could not be read in time. */
async function searchCodes({ codes, hidden }: Detectors, last: number): Promise<boolean> {
  try {
    await codes.pass(last);
    await hidden.pass();
    return true;
  } catch (error) {
    if (error instanceof CellsNotReadError) return false;
    throw error;
  }
}

/**
 * True if `base` has every step of `contracts` up to the end of a range. Its lanes are filled in parallel, so it may have
 * the newest steps first. Get methods would then lack cells and the configuration, and no later step may come for a retry.
 */
function isReadable({ steps, first }: DetectionSources, { last }: PositionRange): boolean {
  return steps.first <= first && last <= steps.last;
}

function none() {
  return { tokens: [], others: [] };
}

/** Outcomes with the steps of their records: the step of the state, or the first one of the range. */
function place(outcomes: readonly StateOutcome[], { first }: PositionRange) {
  return outcomes.map((one) => ({
    position: Math.max(first, one.state.position),
    outcome: toRecorded(one),
  }));
}
