import { join } from 'node:path';
import { type SelfEnd, StageProcess, SupervisedStage } from '../common/stage-process.ts';
import type { ChaosPlan } from './chaos-plan.ts';
import type { ChaosWorld, Corpus } from './chaos-world.ts';

/** The stages of one round as processes, as `docs/cluster.md` starts them. */
export class RoundStages {
  readonly prefix: string;
  /** Records that were appended to the log again. */
  copies = 0;
  readonly #folder: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #source: readonly string[];
  readonly #onSelfEnd: (end: SelfEnd) => void;
  readonly #decoders: SupervisedStage[] = [];
  readonly #publishers: SupervisedStage[] = [];
  readonly #captures: SupervisedStage[] = [];
  /** Members that come and go. */
  readonly #guests = new Set<SupervisedStage>();

  constructor(
    world: ChaosWorld,
    plan: ChaosPlan,
    corpus: Corpus,
    prefix: string,
    folder: string,
    onSelfEnd: (end: SelfEnd) => void,
  ) {
    const { url, user, password } = world.store.proxied;
    this.prefix = prefix;
    this.#folder = folder;
    this.#onSelfEnd = onSelfEnd;
    this.#environment = {
      TONHOUSE_DATA: join(folder, 'data'),
      TONHOUSE_KAFKA: world.broker.brokers.join(','),
      TONHOUSE_KAFKA_PREFIX: prefix,
      TONHOUSE_CLICKHOUSE_URL: url,
      TONHOUSE_CLICKHOUSE_USER: user,
      TONHOUSE_CLICKHOUSE_PASSWORD: password,
      TONHOUSE_LANES: String(plan.lanes),
      TONHOUSE_EPOCH_SIZE: String(plan.epochSize),
      TONHOUSE_SESSION_MS: String(plan.sessionMs),
      TONHOUSE_BATCH_ROWS: String(plan.batchRows),
      TONHOUSE_BATCH_MS: '0',
      TONHOUSE_DECODE_WORKERS: '0',
      ...(corpus.network && { TONHOUSE_NETWORK: corpus.network }),
    };
    this.#source = [corpus.source];
  }

  /** Runs a command to its end, which must be a good one; what it printed. */
  async run(role: string, args: readonly string[], environment = {}): Promise<string> {
    const process = new StageProcess(args, { ...this.#environment, ...environment }, this.#log(role));
    const { code } = await process.exited;
    if (code !== 0) throw new Error(`${role} ended with code ${code}: ${process.words}`);
    return process.stdout;
  }

  /** Makes the log and the store's tables. */
  async prepare(): Promise<void> {
    await this.run('topics', ['topics', ...this.#source]);
    await this.run('migrate', ['migrate']);
  }

  start({ decoders, publishers }: Pick<ChaosPlan, 'decoders' | 'publishers'>): void {
    this.addCapture();
    for (let i = 0; i < decoders; i++) this.#decoders.push(this.#supervise('decode', ['decode'], i));
    for (let i = 0; i < publishers; i++) this.#publishers.push(this.#supervise('publish', ['publish'], i));
  }

  /** The one that is expected to hold the lease. */
  get capture(): SupervisedStage {
    const last = this.#captures.at(-1);
    if (!last) throw new Error('no capture was started');
    return last;
  }

  get captureIsDone(): boolean {
    return this.#captures.some(({ isDone }) => isDone);
  }

  addCapture(): SupervisedStage {
    const capture = this.#supervise('capture', ['capture', ...this.#source], this.#captures.length);
    this.#captures.push(capture);
    return capture;
  }

  /** The others are not started again when they end, as that of a host which is taken away. */
  onlyCapture(kept: SupervisedStage): void {
    for (const capture of this.#captures) if (capture !== kept) capture.retire();
  }

  decoder(choice: number): SupervisedStage {
    return this.#decoders[choice % this.#decoders.length] as SupervisedStage;
  }

  publisher(choice: number): SupervisedStage {
    return this.#publishers[choice % this.#publishers.length] as SupervisedStage;
  }

  addDecoder(): SupervisedStage {
    const guest = this.#supervise('decode', ['decode'], 100 + this.#guests.size);
    this.#guests.add(guest);
    return guest;
  }

  async dismiss(guest: SupervisedStage, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await guest.stop(signal);
    this.#guests.delete(guest);
  }

  /** Role and process of all that run. */
  *processes(): Generator<readonly [string, number | null]> {
    for (const stage of this.#all()) yield [stage.role, stage.pid];
  }

  /** Last words of those that are supposed to work. */
  words(): string {
    return this.#all()
      .map(({ role, words }) => `${role}: ${words.split('\n').slice(-3).join(' | ')}`)
      .join('\n');
  }

  /** Asks all to end; those that end otherwise than with 0, though nothing is wrong any more. */
  async stop(): Promise<string[]> {
    const ends = this.#all().map(async (stage) => {
      const ended = await stage.stop();
      const isWrong = ended !== null && ended.code !== 0 && ended.signal !== 'SIGTERM';
      return isWrong ? `${stage.role}: code ${ended.code}: ${stage.words}` : null;
    });
    return (await Promise.all(ends)).filter((problem) => problem !== null);
  }

  async kill(): Promise<void> {
    await Promise.all(this.#all().map((stage) => stage.stop('SIGKILL')));
  }

  #all(): SupervisedStage[] {
    return [...this.#captures, ...this.#decoders, ...this.#publishers, ...this.#guests];
  }

  #supervise(role: string, args: readonly string[], number: number): SupervisedStage {
    const log = this.#log(`${role}-${number}`);
    const start = () => new StageProcess(args, this.#environment, log);
    return new SupervisedStage(role, start, this.#onSelfEnd);
  }

  #log(name: string): string {
    return join(this.#folder, `${name}.log`);
  }
}
