/**
 * What the bus uses of kafkajs beyond its public interface, in one place. The version is pinned (2.2.4, the last
 * one), and docs/decisions/0009-kafkajs.md says why: its public consumer can read only as a member of a group.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Builds a request's body; every call returns the encoder. */
export interface Encoder {
  writeInt8(value: number): Encoder;
  writeInt16(value: number): Encoder;
  writeInt32(value: number): Encoder;
  writeInt64(value: bigint | number | string): Encoder;
  writeString(value: string): Encoder;
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
  findGroupCoordinator(group: { readonly groupId: string }): Promise<Broker>;
}

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
}

export const ClusterOf = require('kafkajs/src/cluster/index.js') as new (options: object) => Cluster;
export const EncoderOf = require('kafkajs/src/protocol/encoder.js') as new () => Encoder;

const { prototype: requestQueue } = require('kafkajs/src/network/requestQueue/index.js') as {
  prototype: { scheduleCheckPendingRequests(this: RequestQueue): void };
};

const LEAST_WAIT_MS = 10;

/**
 * kafkajs looks at an empty queue by a timer of negative duration, again and again: Node warns of each, and every idle
 * connection wakes the process a thousand times a second. With nothing pending there is nothing to look at.
 */
requestQueue.scheduleCheckPendingRequests = function scheduleCheckPendingRequests() {
  if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
  const wait = Math.max(LEAST_WAIT_MS, this.throttledUntil - Date.now());
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
 * Two requests on a connection that is not open yet open two sockets in kafkajs: one of them is left behind, and what is
 * written goes to the one that may not be connected. Here the second request waits for the first one's socket.
 */
connections.connect = function connect() {
  const known = connecting.get(this);
  if (known) return known;
  const made = connectOnce.call(this).finally(() => connecting.delete(this));
  connecting.set(this, made);
  return made;
};
