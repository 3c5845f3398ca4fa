import { ChainConsumer } from '../chain/chain-consumer.ts';
import { LeaseDeadlines } from '../lease-deadlines.ts';
import type {
  ConsumerOptions,
  DeletedRange,
  JournalEntry,
  LaneLease,
  Lease,
  LogConsumer,
  LogIdentity,
  LogWriter,
  NewRecord,
  NewStep,
  ReadLimit,
  SealedQuery,
  SealedRange,
  SealingBus,
} from '../port.ts';
import type { RemoteReading } from '../sealed/remote/remote-frames.ts';
import { packSteps } from './pack-steps.ts';
import { WorkerClient } from './worker-client.ts';

export interface EmbeddedBusOptions {
  /** Data directory of the log; created if missing. Several processes of one machine may share it. */
  readonly directory: string;
  /** Script of the thread that holds the files; default: one whose sealed files have values as they are. */
  readonly thread?: URL;
  /** How sealed files in buckets are read. Default: they are not. */
  readonly reading?: RemoteReading | undefined;
}

/**
 * Opens the log in SQLite files under `directory` (`log.sqlite` and `segments/`, see append-steps.ts), on a
 * thread of its own. Rejects with `LogDirectoryError`, `NotALogFileError` or `NewerLogFileError`.
 */
export async function openEmbeddedBus({
  directory,
  thread,
  reading,
}: EmbeddedBusOptions): Promise<SealingBus> {
  return new EmbeddedBus(await WorkerClient.start({ directory, reading }, thread));
}

class EmbeddedBus implements SealingBus {
  readonly #client: WorkerClient;

  constructor(client: WorkerClient) {
    this.#client = client;
  }

  identity() {
    return this.#client.call('identity', []);
  }

  establish(identity: LogIdentity) {
    return this.#client.call('establish', [identity]);
  }

  topics() {
    return this.#client.call('topics', []);
  }

  async writer(topic: string, owner: string, sessionMs: number): Promise<LogWriter> {
    const { id, lease } = await this.#client.call('openWriter', [topic, owner, sessionMs]);
    return new EmbeddedWriter(this.#client, id, lease);
  }

  writerLease(topic: string) {
    return this.#client.call('writerLease', [topic]);
  }

  async consumer(options: ConsumerOptions): Promise<LogConsumer> {
    const id = await this.#client.call('openConsumer', [{ ...options }]);
    const member = new EmbeddedConsumer(this.#client, id, options);
    if (options.partitions === undefined) return member;
    // Without an identity there is no topic, and so no consumer of it.
    const identity = (await this.identity()) as LogIdentity;
    return new ChainConsumer(member, this, options, identity);
  }

  read(topic: string, lane: number, from: number, limit: ReadLimit) {
    return this.#client.call('read', [topic, lane, from, limit]);
  }

  readSealed(topic: string, query: SealedQuery) {
    return this.#client.call('readSealed', [topic, query]);
  }

  bounds(topic: string) {
    return this.#client.call('bounds', [topic]);
  }

  highest(topic: string) {
    return this.#client.call('highest', [topic]);
  }

  lag() {
    return this.#client.call('lag', []);
  }

  put(topic: string, { key, headers, value }: NewRecord) {
    // A copy of exactly the value: a view into a larger buffer would take all of it along.
    const bytes = new Uint8Array(value);
    return this.#client.call('put', [topic, { key, headers, length: bytes.length }, bytes], [bytes.buffer]);
  }

  trim(topic: string, epoch: number) {
    return this.#client.call('trim', [topic, epoch]);
  }

  size() {
    return this.#client.call('size', []);
  }

  /** Nothing but `trim` deletes records here: files that are gone are damage (`check`). */
  async deleted(): Promise<readonly DeletedRange[]> {
    return [];
  }

  async passDeleted(): Promise<void> {}

  async committedPositions(topic: string, group: string) {
    const ranges: { first: number; last: number }[] = [];
    // A segment at a time: others may append and read in between.
    for (let index = 0, total = 1; index < total; index++) {
      const segment = await this.#client.call('committedPositions', [topic, group, index]);
      total = segment.total;
      ranges.push(...segment.ranges);
    }
    return ranges;
  }

  async seal(topic: string, signal: AbortSignal): Promise<readonly SealedRange[]> {
    const before = new Set((await this.sealed(topic)).map((one) => one.id));
    const sealing = await this.#client.call('openSealing', [topic]);
    try {
      // A step at a time: others may append and read in between.
      while (!signal.aborted && (await this.#client.call('sealOn', [sealing])));
    } finally {
      await this.#client.call('closeSealing', [sealing]);
    }
    return (await this.sealed(topic)).filter((one) => !before.has(one.id));
  }

  adoptSealed(path: string) {
    return this.#client.call('adoptSealed', [path]);
  }

  joinSealed(path: string) {
    return this.#client.call('joinSealed', [path]);
  }

  sealable(topic: string) {
    return this.#client.call('sealable', [topic]);
  }

  sealed(topic: string) {
    return this.#client.call('sealed', [topic]);
  }

  async check(onPart: (done: number, total: number) => void) {
    const problems: string[] = [];
    // A file at a time: others may append and read in between.
    for (let index = 0, total = 1; index < total; index++) {
      const checked = await this.#client.call('checkFile', [index]);
      total = checked.total;
      problems.push(...checked.problems);
      onPart(index + 1, total);
    }
    return problems;
  }

  close() {
    return this.#client.close();
  }
}

class EmbeddedWriter implements LogWriter {
  readonly lease: Lease;
  readonly #client: WorkerClient;
  readonly #id: number;

  constructor(client: WorkerClient, id: number, lease: Lease) {
    this.#client = client;
    this.#id = id;
    this.lease = lease;
  }

  tail() {
    return this.#client.call('tail', [this.#id]);
  }

  append(steps: readonly NewStep[]) {
    const { metas, values } = packSteps(steps);
    return this.#client.call('append', [this.#id, metas, values], [values.buffer]);
  }

  release() {
    return this.#client.call('releaseWriter', [this.#id]);
  }
}

class EmbeddedConsumer implements LogConsumer {
  readonly group: string;
  readonly #deadlines: LeaseDeadlines;
  readonly #client: WorkerClient;
  readonly #id: number;

  constructor(client: WorkerClient, id: number, { group, sessionMs }: ConsumerOptions) {
    this.#client = client;
    this.#id = id;
    this.group = group;
    this.#deadlines = new LeaseDeadlines(sessionMs);
  }

  claim() {
    return this.#deadlines.claimed(() => this.#client.call('claim', [this.#id]));
  }

  left(lease: LaneLease) {
    return this.#deadlines.left(lease);
  }

  read(lane: number, from: number, limit: ReadLimit) {
    return this.#client.call('consume', [this.#id, lane, from, limit]);
  }

  waitForData(ms: number) {
    return this.#client.call('waitForData', [this.#id, ms]);
  }

  journal(lease: LaneLease, entry: JournalEntry) {
    return this.#client.call('journal', [this.#id, lease, entry]);
  }

  pending(lease: LaneLease) {
    return this.#client.call('pending', [this.#id, lease]);
  }

  confirm(lease: LaneLease, entry: JournalEntry) {
    return this.#client.call('confirm', [this.#id, lease, entry]);
  }

  commit(lease: LaneLease, next: number) {
    return this.#client.call('commit', [this.#id, lease, next]);
  }

  release() {
    this.#deadlines.clear();
    return this.#client.call('releaseConsumer', [this.#id]);
  }
}
