import { UsageError } from '../../platform/errors/error-kinds.ts';
import type { Log } from '../../platform/observability/log.ts';

export interface KafkaTls {
  /** PEM file of the authority that signed the brokers' certificates. Default: the authorities that Node knows. */
  readonly caFile?: string;
  /** PEM files of this client's certificate and key, if the brokers require one. */
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Name to expect in the brokers' certificates, if it differs from the host. */
  readonly serverName?: string;
}

export interface KafkaSasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

export interface KafkaBusOptions {
  /** `host:port` of brokers to begin with; the others are found through them. */
  readonly brokers: readonly string[];
  /** Begins every topic and transactional id, followed by a dot: one a network, e.g. `tonhouse.mainnet`. */
  readonly prefix: string;
  /** Name of this process in the brokers' logs. Default `tonhouse`. */
  readonly clientId?: string;
  /** Present: connect by TLS. */
  readonly tls?: KafkaTls;
  readonly sasl?: KafkaSasl;
  /** Copies of each topic created here. Default: the brokers' setting. */
  readonly replicationFactor?: number;
  /** Time that a call is retried while no broker answers, ms. Default 300,000. */
  readonly unavailableMs?: number;
  /** Time that `close` waits for the calls under way, ms. Default 15,000. */
  readonly closeMs?: number;
  /** Commands in the control log between two snapshots. Default 5,000. */
  readonly snapshotEvery?: number;
  readonly log?: BusLog;
}

/** Log messages of the bus, and their receiver. */
export type BusLog = Pick<Log, 'debug' | 'info' | 'warn'>;

export const SILENT: BusLog = { debug: () => {}, info: () => {}, warn: () => {} };

const PREFIX = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const BROKER = /^[^\s:]+:\d{1,5}$/;

/** An option that cannot be used. */
export class KafkaOptionError extends UsageError {
  readonly option: string;
  readonly found: string;
  constructor(option: string, expected: string, found: string) {
    super(`Kafka option ${option}: expected ${expected}, found ${found}`);
    this.option = option;
    this.found = found;
  }
}

/** @throws KafkaOptionError */
export function checkOptions({ brokers, prefix, tls, unavailableMs }: KafkaBusOptions): void {
  if (brokers.length === 0) throw new KafkaOptionError('brokers', 'at least one host:port', 'none');
  for (const broker of brokers)
    if (!BROKER.test(broker)) throw new KafkaOptionError('brokers', 'host:port', broker);
  if (!PREFIX.test(prefix)) throw new KafkaOptionError('prefix', String(PREFIX), prefix);
  if ((tls?.certFile === undefined) !== (tls?.keyFile === undefined))
    throw new KafkaOptionError('tls', 'certFile and keyFile together', 'one of them');
  if (unavailableMs !== undefined && !(unavailableMs > 0))
    throw new KafkaOptionError('unavailableMs', 'a positive number of ms', String(unavailableMs));
}
