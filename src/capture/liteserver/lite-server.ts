import { type LiteAddress, LiteConnection, type RequestOptions } from '../../liteapi/lite-connection.ts';
import { ConnectionClosedError } from '../../liteapi/lite-errors.ts';
import type { FunctionName, TlAnswer, TlParameters, TlValue } from '../../liteapi/schema/values.ts';
import { pause } from '../../platform/retry/poll.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { type BlockIdExt, sameBytes } from '../block-id.ts';
import { type FailureKind, ForeignServerError, failureKind } from './server-errors.ts';
import { ServerHealth } from './server-health.ts';

/** `connecting`: also between attempts. `foreign`: of another network. */
export type ServerState = 'connecting' | 'foreign' | 'ready';

export interface LiteServerOptions {
  /** Its hashes name the network. */
  readonly zerostate: BlockIdExt;
  /** Requests under way at once. */
  readonly maxInFlight: number;
  readonly timeoutMs: number;
  /** Called when the server can take a request: it is connected, or a request has ended. */
  readonly onFree: () => void;
  /** Called for each failure that an operator should see once. */
  readonly onProblem: (server: LiteServer, error: Error) => void;
}

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** A server of another network is asked again, ever more seldom: its operator may repair it. */
const MAX_FOREIGN_PAUSE_MS = 60_000;
/** A connection that held so long is made again at once. */
const HELD_MS = 10_000;

/** One lite server: keeps a connection, counts what it delivers. It reconnects until it is stopped. */
export class LiteServer {
  readonly name: string;
  readonly health = new ServerHealth();
  state: ServerState = 'connecting';
  inFlight = 0;
  lastError: Error | null = null;
  /** Seqno that it announced last. */
  announced: number | null = null;
  private clock: number | null = null;
  private clockAt = 0;
  private readonly address: LiteAddress;
  private readonly options: LiteServerOptions;
  private connection: LiteConnection | null = null;

  constructor(address: LiteAddress, options: LiteServerOptions) {
    this.name = `${address.host}:${address.port}`;
    this.address = address;
    this.options = options;
  }

  /** True if a request can be sent now. */
  get isFree(): boolean {
    return this.state === 'ready' && this.inFlight < this.options.maxInFlight;
  }

  /** Unix seconds by the server's clock at this moment; null before its first answer. */
  time(): number | null {
    return this.clock === null ? null : this.clock + (performance.now() - this.clockAt) / 1000;
  }

  /** Connects, and connects again after each end. Resolves when `signal` aborts. */
  async run(signal: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const began = performance.now();
      const error = await this.connect(signal);
      this.state = error instanceof ForeignServerError ? 'foreign' : 'connecting';
      this.connection = null;
      if (signal.aborted) return;
      this.failed(error);
      this.options.onProblem(this, error);
      if (performance.now() - began > HELD_MS) pauseMs = FIRST_PAUSE_MS;
      await pause(pauseMs, signal);
      const maxMs = this.state === 'foreign' ? MAX_FOREIGN_PAUSE_MS : MAX_PAUSE_MS;
      pauseMs = Math.min(2 * pauseMs, maxMs);
    }
  }

  /**
   * Sends a request. The outcome is counted by the caller (`delivered`, `failed`), who also checks the answer.
   * @throws LiteServerError, AnswerTimeoutError, UnknownAnswerError, ConnectionClosedError
   */
  async request<F extends FunctionName>(
    name: F,
    parameters: TlParameters<F>,
    options: Partial<RequestOptions> = {},
  ): Promise<TlAnswer<F>> {
    if (!this.connection) throw new ConnectionClosedError(this.name, 'not connected');
    this.inFlight++;
    try {
      return await this.connection.request(name, parameters, {
        timeoutMs: this.options.timeoutMs,
        ...options,
      });
    } finally {
      this.inFlight--;
      this.options.onFree();
    }
  }

  delivered(ms: number): void {
    this.health.success(ms, performance.now());
  }

  /** Counts a failure. @returns its kind */
  failed(error: Error): FailureKind {
    const kind = failureKind(error);
    this.health.failure(kind, performance.now());
    if (kind !== 'not_ready') this.lastError = error;
    return kind;
  }

  /** Asks for the announced head and the clock. A server that changed its network is left. @throws as `request` */
  async poll(): Promise<void> {
    const info = await this.request('getMasterchainInfoExt', { mode: 0 });
    try {
      this.noteInfo(info);
    } catch (error) {
      this.connection?.close();
      throw error;
    }
  }

  /** @returns why the connection ended, or could not be made */
  private async connect(signal: AbortSignal): Promise<Error> {
    let connection: LiteConnection | null = null;
    const stop = () => connection?.close();
    try {
      connection = await LiteConnection.open(this.address, { timeoutMs: this.options.timeoutMs });
      signal.addEventListener('abort', stop);
      if (signal.aborted) return stop() ?? (await connection.closed);
      const { timeoutMs } = this.options;
      this.noteInfo(await connection.request('getMasterchainInfoExt', { mode: 0 }, { timeoutMs }));
      this.connection = connection;
      this.state = 'ready';
      this.options.onFree();
      return await connection.closed;
    } catch (error) {
      connection?.close();
      return error as Error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private noteInfo({ init, last, now }: TlValue<'masterchainInfoExt'>): void {
    const { rootHash, fileHash } = this.options.zerostate;
    if (!sameBytes(init.root_hash, rootHash) || !sameBytes(init.file_hash, fileHash))
      throw new ForeignServerError(this.name, toHex(rootHash), toHex(Uint8Array.from(init.root_hash)));
    this.announced = last.seqno;
    this.clock = now;
    this.clockAt = performance.now();
  }
}
