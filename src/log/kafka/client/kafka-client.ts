import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import kafkajs, { type Admin, type ISocketFactory, type Kafka, type Producer } from 'kafkajs';
import { readSmallFile } from '../../../platform/files/regular-file.ts';
import {
  type BusLog,
  type KafkaBusOptions,
  type KafkaSasl,
  type KafkaTls,
  SILENT,
} from '../kafka-options.ts';
import { type Cluster, ClusterClass } from './kafkajs-internals.ts';
import { registerZstd } from './zstd-codec.ts';

const CONNECT_MS = 5_000;
const REQUEST_MS = 30_000;
const METADATA_AGE_MS = 300_000;
const KEEP_ALIVE_MS = 30_000;

/**
 * Retry options, stated wherever kafkajs takes them, since its defaults change with NODE_ENV. The first retries are
 * close together: a transaction right after another waits some milliseconds. `BrokerRetry` retries longer calls with a
 * new client.
 */
const RETRY = { initialRetryTime: 4, factor: 0.2, multiplier: 2, maxRetryTime: 500, retries: 9 };

/**
 * A transaction sends each record once, and fails with the first broken or refused request. After a partition moves,
 * kafkajs would resend accepted records under a new sequence, and both would be committed. The producer's owner starts
 * again under a new epoch, which ends the transaction.
 */
const SENT_ONCE = { ...RETRY, retries: 0 };

/** Makes kafkajs's clients, all with the same settings; `destroy` cuts every connection that they have. */
export class KafkaClient {
  readonly brokers: readonly string[];
  readonly #kafka: Kafka;
  readonly #sockets = new Set<Socket>();
  readonly #clusterOptions: object;
  #destroyed = false;

  constructor(options: KafkaBusOptions) {
    registerZstd();
    this.brokers = options.brokers;
    const shared = {
      brokers: [...options.brokers],
      clientId: options.clientId ?? 'tonhouse',
      connectionTimeout: CONNECT_MS,
      authenticationTimeout: CONNECT_MS,
      requestTimeout: REQUEST_MS,
      enforceRequestTimeout: true,
      retry: RETRY,
      socketFactory: this.#socketFactory,
      ...(options.tls ? { ssl: tlsOptions(options.tls) } : {}),
      ...(options.sasl ? { sasl: saslOptions(options.sasl) } : {}),
    };
    this.#kafka = new kafkajs.Kafka({
      ...shared,
      logLevel: kafkajs.logLevel.WARN,
      logCreator: logCreator(options.log ?? SILENT),
    });
    this.#clusterOptions = {
      ...shared,
      logger: this.#kafka.logger(),
      metadataMaxAge: METADATA_AGE_MS,
      allowAutoTopicCreation: false,
    };
  }

  /** Connections of their own, for requests that kafkajs has no public call for. */
  cluster(): Cluster {
    return new ClusterClass(this.#clusterOptions);
  }

  /** A producer whose every message names its partition; in transactions it sends nothing a second time. */
  producer(transaction?: { readonly id: string; readonly timeoutMs: number }): Producer {
    return this.#kafka.producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_AGE_MS,
      retry: transaction ? SENT_ONCE : RETRY,
      ...(transaction
        ? {
            transactionalId: transaction.id,
            transactionTimeout: transaction.timeoutMs,
            maxInFlightRequests: 1,
          }
        : {}),
    });
  }

  admin(): Admin {
    return this.#kafka.admin({ retry: RETRY });
  }

  /** Ends all connections at once, and for good: requests under way fail, and so does connecting again. */
  destroy(): void {
    this.#destroyed = true;
    for (const socket of this.#sockets) socket.destroy(new Error('the bus is closed'));
  }

  readonly #socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.#destroyed) throw new Error('the bus is closed');
    const socket = ssl
      ? connectTls({ host, port, ...(isIP(host) ? {} : { servername: host }), ...ssl }, onConnect)
      : connectPlain({ host, port }, onConnect);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    socket.setNoDelay(true);
    // kafkajs unrefs a closed socket at every further try, and Node keeps that for a connection that never comes.
    socket.setMaxListeners(0);
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  };
}

/** A bundle of all public authorities has some 200 KB. */
const readPem = (file: string) => readSmallFile(file, 1 << 24);

function tlsOptions({ caFile, certFile, keyFile, serverName }: KafkaTls): ConnectionOptions {
  return {
    ...(caFile ? { ca: readPem(caFile) } : {}),
    ...(certFile ? { cert: readPem(certFile) } : {}),
    ...(keyFile ? { key: readPem(keyFile) } : {}),
    ...(serverName ? { servername: serverName } : {}),
  };
}

function saslOptions({ mechanism, username, password }: KafkaSasl) {
  // One object a mechanism: kafkajs's types pair each name with its own settings.
  if (mechanism === 'plain') return { mechanism, username, password };
  return mechanism === 'scram-sha-256'
    ? { mechanism, username, password }
    : { mechanism, username, password };
}

/** kafkajs reports every retried failure as an error; the bus reports real errors itself. */
function logCreator(log: BusLog) {
  return () =>
    ({ namespace, log: { message, ...facts } }: { namespace: string; log: { message: string } }) => {
      const { timestamp: _, logger: __, ...more } = facts as Record<string, unknown>;
      log.debug({ from: `kafkajs ${namespace}`, ...more }, message);
    };
}
