/**
 * Internals of kafkajs that the bus uses beyond its public interface, in one place. The version is pinned (2.2.4, the
 * last one); docs/decisions/0009-kafkajs.md has the reason: its public consumer can read only as a group member.
 */
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const require = createRequire(import.meta.url);

/** Builds a request's body; every call returns the encoder. */
export interface Encoder {
  writeInt8(value: number): Encoder;
  writeInt16(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeInt64(value: bigint | number | string): Encoder;
  writeString(value: string): Encoder;
  /** Length plus one before it, as newer requests have it. */
  writeUVarIntString(value: string): Encoder;
  writeUVarInt(value: number): Encoder;
  writeArray(values: readonly Encoder[] | readonly string[] | readonly number[]): Encoder;
  readonly buffer: Buffer;
}

export interface ProtocolCall<Response> {
  readonly request: {
    readonly apiKey: number;
    readonly apiVersion: number;
    readonly apiName: string;
    readonly encode: () => Promise<Encoder>;
  };
  readonly response: {
    readonly decode: (payload: Buffer) => Promise<Response>;
    readonly parse: (decoded: Response) => Promise<Response>;
  };
}

export interface ProducerEpoch {
  readonly producerId: string;
  readonly producerEpoch: number;
}

export interface Broker {
  readonly connectionPool: { send<Response>(call: ProtocolCall<Response>): Promise<Response> };
  listOffsets(request: {
    readonly isolationLevel: number;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[];
    }[];
  }): Promise<{
    readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[];
  }>;
  initProducerId(request: {
    readonly transactionalId: string;
    readonly transactionTimeout: number;
  }): Promise<ProducerEpoch>;
  addPartitionsToTxn(
    request: ProducerEpoch & {
      readonly transactionalId: string;
      readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
    },
  ): Promise<unknown>;
  /** `transactionResult` true: commits. */
  endTxn(
    request: ProducerEpoch & { readonly transactionalId: string; readonly transactionResult: boolean },
  ): Promise<unknown>;
  /** Rejects with the first error of a partition. */
  offsetCommit(request: {
    readonly groupId: string;
    readonly groupGenerationId: number;
    readonly memberId: string;
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
    }[];
  }): Promise<unknown>;
}

export interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
  findTopicPartitionMetadata(topic: string): readonly {
    readonly partitionId: number;
    readonly leader: number;
  }[];
  findBroker(broker: { readonly nodeId: string }): Promise<Broker>;
  /** `coordinatorType` 1: of the transactional id that represents the group. */
  findGroupCoordinator(group: {
    readonly groupId: string;
    readonly coordinatorType?: 0 | 1;
  }): Promise<Broker>;
}

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

export const ClusterClass = require('kafkajs/src/cluster/index.js') as new (options: object) => Cluster;
export const EncoderClass = require('kafkajs/src/protocol/encoder.js') as new () => Encoder;

const { prototype: requestQueue } = require('kafkajs/src/network/requestQueue/index.js') as {
  prototype: { scheduleCheckPendingRequests(this: RequestQueue): void };
};

const MIN_WAIT_MS = 10;

/**
 * kafkajs polls an empty queue by a timer of negative duration: Node warns of each, and every idle connection wakes the
 * process a thousand times a second. Without pending requests there is nothing to poll.
 */
requestQueue.scheduleCheckPendingRequests = function scheduleCheckPendingRequests() {
  if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
  const wait = Math.max(MIN_WAIT_MS, this.throttledUntil - Date.now());
  this.throttleCheckTimeoutId = setTimeout(() => {
    this.throttleCheckTimeoutId = null;
    this.checkPendingRequests();
  }, wait);
};

interface Connection {
  connect(): Promise<unknown>;
}

const { prototype: connections } = require('kafkajs/src/network/connection.js') as {
  prototype: { connect(this: Connection): Promise<unknown> };
};
const connectOnce = connections.connect;
const connecting = new WeakMap<Connection, Promise<unknown>>();

/**
 * Two requests on an opening connection open two sockets in kafkajs. One of them leaks, and writes may go to the
 * unconnected one. Here the second request waits for the first one's socket.
 */
connections.connect = function connect() {
  const known = connecting.get(this);
  if (known) return known;
  const made = connectOnce.call(this).finally(() => connecting.delete(this));
  connecting.set(this, made);
  return made;
};

interface TransactionalCalls {
  addPartitionsToTxn(this: Broker, request: object): Promise<unknown>;
  produce(this: Broker, request: { readonly transactionalId?: string }): Promise<unknown>;
}

const { prototype: brokers } = require('kafkajs/src/broker/index.js') as { prototype: TransactionalCalls };
const FIRST_PAUSE_MS = 4;
const MAX_PAUSE_MS = 250;
const ANSWERED_MS = 3_000;

/** Repeats a request unchanged while the broker answers that it will accept it later. */
async function whileAnswered(request: () => Promise<unknown>): Promise<unknown> {
  const end = Date.now() + ANSWERED_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await request();
    } catch (error) {
      const { name, retriable } = error as { name?: unknown; retriable?: unknown };
      if (name !== 'KafkaJSProtocolError' || retriable !== true || Date.now() > end) throw error;
      await sleep(pause);
    }
  }
}

/**
 * Waits within a transaction happen here, at the same broker and under the request's sequence: for the previous
 * transaction to end, or for a new leader. kafkajs would repeat the whole request, perhaps at other brokers.
 */
const { addPartitionsToTxn, produce } = brokers;
brokers.addPartitionsToTxn = function addPartitions(request) {
  return whileAnswered(() => addPartitionsToTxn.call(this, request));
};
brokers.produce = function produceOnce(request) {
  const once = () => produce.call(this, request);
  return request.transactionalId === undefined ? once() : whileAnswered(once);
};
