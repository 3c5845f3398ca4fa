import { randomUUID } from 'node:crypto';
import { DataError } from '../../../platform/errors/error-kinds.ts';
import type { CommandName, Commands } from '../../coordination/commands.ts';
import { FencedError } from '../../errors.ts';
import type { BrokerRetry } from '../client/broker-retry.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { RecordSender } from '../client/record-sender.ts';
import type { TopicAdmin } from '../client/topic-admin.ts';
import { PartitionFollower } from '../wire/partition-follower.ts';
import { PartitionReader } from '../wire/partition-reader.ts';
import type { Outcome } from './apply-envelope.ts';
import { ControlReplica } from './control-replica.ts';
import type { ControlState } from './control-state.ts';
import type { Envelope } from './envelope.ts';

export interface ControlLogPorts {
  readonly client: KafkaClient;
  readonly brokerRetry: BrokerRetry;
  readonly sender: RecordSender;
  readonly admin: TopicAdmin;
  readonly topic: string;
  readonly snapshotEvery: number;
}

interface Waiter {
  readonly settle: (outcome: Outcome) => void;
  readonly fail: (error: Error) => void;
}

/** The command is in the log, its outcome is in a part of it that was deleted before this process read it. */
class OutcomeLostError extends DataError {}

/** Commands that travel in one request. */
const MAX_BATCH = 200;

/**
 * The single order of all decisions about a log: leases, committed offsets, the journal, identity and topics. A command
 * is appended to a topic of one partition and takes effect at its position. Every process applies all commands in that
 * order, by the broker's clock, and so learns whether its own was granted. A paused process reads what was granted
 * meanwhile before its next command, which is therefore refused.
 */
export class ControlLog {
  readonly #ports: ControlLogPorts;
  readonly #id = randomUUID();
  readonly #replica: ControlReplica;
  readonly #follower: PartitionFollower;
  readonly #reader: PartitionReader;
  readonly #waiting = new Map<number, Waiter>();
  readonly #queue: Envelope[] = [];
  #pumping = false;
  #seq = 0;

  constructor(ports: ControlLogPorts) {
    this.#ports = ports;
    this.#reader = new PartitionReader(ports.client);
    this.#replica = new ControlReplica(this.#id, ports.snapshotEvery, {
      settled: (seq, outcome) => this.#waiting.get(seq)?.settle(outcome),
      lost: (upTo) => this.#lose(upTo),
      snapshotDue: (text) => void this.#writeSnapshot(text),
      superfluous: (before) => void this.#deleteBefore(before),
    });
    this.#follower = new PartitionFollower(ports.client, ports.topic, ports.brokerRetry, this.#replica);
  }

  /** Whether there is a state: not before the first read, nor while the log is read again from a snapshot. */
  get isRead(): boolean {
    return this.#replica.isRead;
  }

  /** The state as this process knows it; only the control log changes it. */
  get state(): ControlState {
    return this.#replica.state;
  }

  /** Starts following, and resolves when this process knows what was decided before. */
  async open(): Promise<void> {
    this.#follower.start();
    await this.fresh('opening the log');
  }

  /** Resolves when everything that was decided before the call is known here. */
  async fresh(operation: string): Promise<void> {
    const { brokerRetry, topic } = this.#ports;
    const end = await brokerRetry.run(operation, () => this.#reader.offset(topic, 0, 'latest'));
    await this.#follower.reach(end, operation);
  }

  /** Result of the command after it is in the log; throws the error that refused it there. */
  async execute<Name extends CommandName>(
    name: Name,
    args: Commands[Name]['args'],
  ): Promise<Commands[Name]['result']> {
    for (;;) {
      try {
        return (await this.#submit(name, args)) as Commands[Name]['result'];
      } catch (error) {
        if (!(error instanceof OutcomeLostError)) throw error;
        // Overtaken by two snapshots: this process was away for long, and so its leases are gone.
        if ('generation' in args) throw new FencedError(`${name} of ${args.topic}`, args.generation, null);
      }
    }
  }

  async stopped(): Promise<void> {
    await this.#follower.stopped();
    await this.#reader.close();
  }

  #submit(name: CommandName, args: unknown): Promise<unknown> {
    const seq = ++this.#seq;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(seq, {
      fail: reject,
      settle: (outcome) => {
        if (outcome && 'refused' in outcome) reject(outcome.refused);
        else if (outcome) resolve(outcome.result);
      },
    });
    this.#queue.push({ v: 1, client: this.#id, seq, name, args });
    void this.#pump();
    return promise.finally(() => this.#waiting.delete(seq));
  }

  /** Commands given while others are on their way follow together; they keep their order. */
  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, MAX_BATCH);
      try {
        const first = await this.#send(batch.map((envelope) => ['command', JSON.stringify(envelope)]));
        void this.#follower
          .reach(first + batch.length, `commands in ${this.#ports.topic}`)
          .catch((error: Error) => this.#fail(batch, error));
      } catch (error) {
        this.#fail(batch, error as Error);
      }
    }
    this.#pumping = false;
  }

  #send(records: readonly (readonly [key: string, value: string])[]): Promise<number> {
    const messages = records.map(([key, value]) => ({ key, value }));
    return this.#ports.sender.send(this.#ports.topic, messages, false);
  }

  #fail(batch: readonly Envelope[], error: Error): void {
    for (const { seq } of batch) this.#waiting.get(seq)?.fail(error);
  }

  #lose(upTo: number): void {
    for (const [seq, waiter] of this.#waiting) if (seq <= upTo) waiter.fail(new OutcomeLostError());
  }

  /** A snapshot that cannot be written is written later, by the first process to come. */
  async #writeSnapshot(text: string): Promise<void> {
    await this.#send([['snapshot', text]]).catch(() => this.#replica.snapshotFailed());
  }

  async #deleteBefore(offset: number): Promise<void> {
    const { admin, topic } = this.#ports;
    await admin.deleteBefore(topic, new Map([[0, offset]])).catch(() => {});
  }
}
