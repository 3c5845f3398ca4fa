import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKafkaBus } from '../../../src/log/kafka/kafka-bus.ts';
import type { Bus } from '../../../src/log/port.ts';
import { openEmbeddedBus } from '../../../src/log/sqlite/embedded-bus.ts';
import { DEFAULT_POLICY } from '../../../src/platform/clickhouse/cold-volume.ts';
import { LOG_THREAD } from '../common/raw-blocks.ts';
import { type Restart, type SelfEnd, StageProcess, SupervisedStage } from '../common/stage-process.ts';
import type { ChaosPlan, LogKind } from './chaos-plan.ts';
import type { ChaosWorld, Corpus } from './chaos-world.ts';
import type { RoundPlace } from './round-log.ts';

/** The stages of one round as processes, as `docs/cluster.md` starts them. */
export class RoundStages {
  readonly prefix: string;
  /** Records that were appended to the log again. */
  copies = 0;
  readonly #folder: string;
  readonly #log: LogKind;
  readonly #lanes: number;
  readonly #brokers: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #source: readonly string[];
  readonly #serverCount: number;
  readonly #onSelfEnd: (end: SelfEnd) => void;
  readonly #decoders: SupervisedStage[] = [];
  readonly #publishers: SupervisedStage[] = [];
  readonly #servers: SupervisedStage[] = [];
  readonly #captures: SupervisedStage[] = [];
  readonly #hotEpochs: number;
  #sealer: SupervisedStage | null = null;
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
    this.#log = plan.log;
    this.#lanes = plan.lanes;
    this.#hotEpochs = plan.hotEpochs;
    this.#brokers = world.broker.brokers;
    this.#onSelfEnd = onSelfEnd;
    this.#environment = {
      TONHOUSE_DATA: join(folder, 'data'),
      ...(plan.log === 'kafka' && {
        TONHOUSE_KAFKA: world.broker.brokers.join(','),
        TONHOUSE_KAFKA_PREFIX: prefix,
      }),
      TONHOUSE_CLICKHOUSE_URL: url,
      TONHOUSE_CLICKHOUSE_USER: user,
      TONHOUSE_CLICKHOUSE_PASSWORD: password,
      TONHOUSE_LANES: String(plan.lanes),
      TONHOUSE_EPOCH_SIZE: String(plan.epochSize),
      TONHOUSE_SESSION_MS: String(plan.sessionMs),
      TONHOUSE_BATCH_ROWS: String(plan.batchRows),
      TONHOUSE_BATCH_MS: '0',
      TONHOUSE_DECODE_WORKERS: '0',
      // The blocks are older than a second, and the policy of the store has a cold volume.
      ...(plan.isCold && { TONHOUSE_COLD: DEFAULT_POLICY, TONHOUSE_COLD_AFTER: '1s' }),
      TONHOUSE_HOST: '127.0.0.1',
      TONHOUSE_PORT: '0',
      ...(corpus.network && { TONHOUSE_NETWORK: corpus.network }),
    };
    this.#source = [corpus.source, ...(corpus.states ?? []).flatMap((file) => ['--state', file])];
    this.#serverCount = corpus.served?.servers ?? 0;
  }

  /** Runs a command to its end, which must be a good one; what it printed. */
  async run(role: string, args: readonly string[], environment = {}): Promise<string> {
    const process = new StageProcess(args, { ...this.#environment, ...environment }, this.#logFile(role));
    const { code } = await process.exited;
    if (code !== 0) throw new Error(`${role} ended with code ${code}: ${process.words}`);
    return process.stdout;
  }

  /** Makes the log and the store's tables. The embedded log is made by capture. */
  async prepare(): Promise<void> {
    if (this.#log === 'kafka') await this.run('topics', ['topics', ...this.#source]);
    else await this.#captureBegins();
    await this.run('migrate', ['migrate']);
  }

  /** Another connection to the stages' log. */
  openBus(): Promise<Bus> {
    if (this.#log === 'kafka') return createKafkaBus({ brokers: this.#brokers, prefix: this.prefix });
    return openEmbeddedBus({ directory: join(this.#folder, 'data', 'log'), thread: LOG_THREAD });
  }

  get place(): RoundPlace {
    const kafka = { brokers: this.#brokers, prefix: this.prefix, lanes: this.#lanes };
    return {
      openBus: () => this.openBus(),
      kafka: this.#log === 'kafka' ? kafka : null,
      hasServers: this.#serverCount > 0,
    };
  }

  async #captureBegins(): Promise<void> {
    this.addCapture();
    const bus = await this.openBus();
    while (!(await bus.identity())) await sleep(50);
    await bus.close();
  }

  /** The servers of the corpus run if decoders do. */
  start({ decoders, publishers }: Pick<ChaosPlan, 'decoders' | 'publishers'>): void {
    if (this.#captures.length === 0) this.addCapture();
    for (let i = 0; i < decoders; i++) this.#decoders.push(this.#supervise('decode', ['decode'], i));
    for (let i = 0; i < publishers; i++) this.#publishers.push(this.#supervise('publish', ['publish'], i));
    const servers = decoders > 0 ? this.#serverCount : 0;
    for (let i = 0; i < servers; i++) {
      const place = ['--lookup-index', this.#lookUpFolder(i)];
      this.#servers.push(this.#supervise('serve', ['serve', ...place], i));
    }
    if (decoders > 0 && this.#hotEpochs > 0)
      this.#sealer = this.#supervise('seal', this.#sealing, 0, 'after any end');
  }

  /** Null if nothing is sealed. */
  get sealer(): SupervisedStage | null {
    return this.#sealer;
  }

  get #sealing(): readonly string[] {
    return ['log', 'seal', '--hot-epochs', String(this.#hotEpochs)];
  }

  /** Seals what is left, undisturbed. */
  async sealRest(): Promise<void> {
    if (this.#sealer) await this.run('seal', this.#sealing);
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

  /** The others are not restarted when they end, as on a host that is removed. */
  onlyCapture(kept: SupervisedStage): void {
    for (const capture of this.#captures) if (capture !== kept) capture.retire();
  }

  get decoders(): readonly SupervisedStage[] {
    return this.#decoders;
  }

  decoder(choice: number): SupervisedStage {
    return this.#decoders[choice % this.#decoders.length] as SupervisedStage;
  }

  publisher(choice: number): SupervisedStage {
    return this.#publishers[choice % this.#publishers.length] as SupervisedStage;
  }

  get servers(): readonly SupervisedStage[] {
    return this.#servers;
  }

  /** Folders of the look-up indexes, one for each server. */
  get lookUpFolders(): readonly string[] {
    return this.#servers.map((_, number) => this.#lookUpFolder(number));
  }

  #lookUpFolder(number: number): string {
    return join(this.#folder, `lookup-${number}`);
  }

  /** Undefined if the round has none. */
  server(choice: number): SupervisedStage | undefined {
    return this.#servers[choice % Math.max(1, this.#servers.length)];
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
      // A command that is interrupted fails.
      const isWrong =
        stage !== this.#sealer && ended !== null && ended.code !== 0 && ended.signal !== 'SIGTERM';
      return isWrong ? `${stage.role}: code ${ended.code}: ${stage.words}` : null;
    });
    return (await Promise.all(ends)).filter((problem) => problem !== null);
  }

  async kill(): Promise<void> {
    await Promise.all(this.#all().map((stage) => stage.stop('SIGKILL')));
  }

  #all(): SupervisedStage[] {
    return [
      ...this.#captures,
      ...this.#decoders,
      ...this.#publishers,
      ...this.#servers,
      ...this.#guests,
    ].concat(this.#sealer ?? []);
  }

  #supervise(role: string, args: readonly string[], number: number, restart?: Restart): SupervisedStage {
    const log = this.#logFile(`${role}-${number}`);
    const start = () => new StageProcess(args, this.#environment, log);
    return new SupervisedStage(role, start, this.#onSelfEnd, restart);
  }

  #logFile(name: string): string {
    return join(this.#folder, `${name}.log`);
  }
}
