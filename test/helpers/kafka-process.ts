import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { kafkaClasspath } from './kafka-jars.ts';

/** A broker that the test owns, and may treat badly. Its data outlive `kill`. */
export interface OwnedBroker {
  readonly brokers: readonly string[];
  /** Process id of the JVM; null while it is not running. */
  readonly pid: number | null;
  /** Folder of its data: one folder more a partition. */
  readonly data: string;
  /** Ends it at once (kill -9); resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on its data and port; resolves when it answers. */
  start(): Promise<void>;
  /** Stops it from running (SIGSTOP): connections stay open, nothing answers. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface BrokerSetup {
  /** Lines of the broker's configuration that replace or add to the defaults. */
  readonly properties?: Readonly<Record<string, string>>;
  /** Protocol of the client's listener. Default PLAINTEXT. */
  readonly protocol?: 'PLAINTEXT' | 'SASL_SSL';
  /** Arguments for formatting the storage, e.g. for SCRAM users. */
  readonly formatArguments?: readonly string[];
}

const JVM = [
  '-Xmx512m',
  '-XX:+UseSerialGC',
  '-XX:TieredStopAtLevel=1',
  '-Dorg.slf4j.simpleLogger.defaultLogLevel=error',
];
const START_MS = 180_000;
const STDERR_TAIL = 8_192;
/** Ports are chosen before the broker opens them: if one was taken meanwhile, a retry finds others. */
const START_ATTEMPTS = 3;
const GUARD = join(import.meta.dirname, 'kafka-guard.ts');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

interface Ports {
  readonly client: number;
  readonly controller: number;
  /** For the broker's own connections to itself, which need no password. */
  readonly internal: number;
}

function properties(
  { client, controller, internal }: Ports,
  data: string,
  setup: BrokerSetup,
): Record<string, string> {
  const protocol = setup.protocol ?? 'PLAINTEXT';
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `CLIENT://127.0.0.1:${client},INTERNAL://127.0.0.1:${internal},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `CLIENT://127.0.0.1:${client},INTERNAL://127.0.0.1:${internal}`,
    'listener.security.protocol.map': `CLIENT:${protocol},INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT`,
    'inter.broker.listener.name': 'INTERNAL',
    'log.dirs': data,
    'offsets.topic.replication.factor': '1',
    'offsets.topic.num.partitions': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'transaction.state.log.num.partitions': '4',
    'auto.create.topics.enable': 'false',
    // After a kill -9 the controller, in the same process, waits for the old incarnation's session to end.
    'broker.session.timeout.ms': '1000',
    'broker.heartbeat.interval.ms': '250',
    'num.network.threads': '2',
    'num.io.threads': '2',
    'log.cleaner.dedupe.buffer.size': '4194304',
    ...setup.properties,
  };
}

async function freePorts(): Promise<Ports> {
  return { client: await freePort(), controller: await freePort(), internal: await freePort() };
}

/** Starts a single broker of the newest Kafka 4 from its jars (KRaft), on free loopback ports. */
export async function startOwnBroker(setup: BrokerSetup = {}): Promise<OwnedBroker> {
  const classpath = await kafkaClasspath();
  for (let attempt = 1; ; attempt++) {
    const broker = new JarBroker(classpath, await freePorts(), setup);
    try {
      await broker.format();
      await broker.start();
      return broker;
    } catch (error) {
      await broker.stop();
      if (attempt === START_ATTEMPTS) throw error;
    }
  }
}

class JarBroker implements OwnedBroker {
  readonly brokers: readonly string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'tonhouse-kafka-'));
  readonly #classpath: string;
  readonly #setup: BrokerSetup;
  readonly #port: number;
  #guard: ChildProcess | null = null;
  #pid: number | null = null;

  constructor(classpath: string, ports: Ports, setup: BrokerSetup) {
    this.#classpath = classpath;
    this.#setup = setup;
    this.#port = ports.client;
    this.brokers = [`127.0.0.1:${ports.client}`];
    const lines = properties(ports, join(this.#folder, 'data'), setup);
    const text = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(this.#properties, text.join(''));
  }

  get pid(): number | null {
    return this.#guard?.exitCode === null ? this.#pid : null;
  }

  get data(): string {
    return join(this.#folder, 'data');
  }

  get #properties(): string {
    return join(this.#folder, 'server.properties');
  }

  async format(): Promise<void> {
    const id = randomBytes(16).toString('base64url').replace(/^-/, 'A');
    const more = this.#setup.formatArguments ?? [];
    const args = ['format', '-t', id, '-c', this.#properties, ...more];
    await promisify(execFile)('java', [...JVM, '-cp', this.#classpath, 'kafka.tools.StorageTool', ...args]);
  }

  async start(): Promise<void> {
    const java = ['java', ...JVM, '-cp', this.#classpath, 'kafka.Kafka', this.#properties];
    const guard = spawn(process.execPath, [GUARD, ...java], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#guard = guard;
    let errors = '';
    guard.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-STDERR_TAIL);
    });
    guard.stdin?.on('error', () => {});
    guard.stdout?.setEncoding('utf8').once('data', (line: string) => {
      this.#pid = Number(line);
    });
    const deadline = Date.now() + START_MS;
    while (!(await accepts(this.#port))) {
      if (guard.exitCode !== null) throw new Error(`the broker ended with ${guard.exitCode}:\n${errors}`);
      if (Date.now() > deadline) throw new Error(`the broker did not answer in ${START_MS} ms:\n${errors}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async kill(): Promise<void> {
    const guard = this.#guard;
    if (!guard || guard.exitCode !== null) return;
    const gone = once(guard, 'exit');
    guard.stdin?.end();
    await gone;
    this.#pid = null;
  }

  pause(): void {
    process.kill(this.#java(), 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.#java(), 'SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #java(): number {
    if (this.#pid === null) throw new Error('the broker is not running');
    return this.#pid;
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
