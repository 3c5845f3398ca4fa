import { setTimeout as sleep } from 'node:timers/promises';
import { groupKey, type LaneState } from '../../coordination/coordination-state.ts';
import { getInnermostReason } from '../client/errors.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import type { Cluster } from '../client/kafkajs-internals.ts';
import { Reconnecting } from '../client/reconnecting.ts';
import type { ControlLog } from '../control/control-log.ts';
import type { BusLog } from '../kafka-options.ts';
import type { TopicSettings } from '../topic-settings.ts';

/** A member of this process whose lanes' offsets are shown. */
export interface MirroredMember {
  readonly topic: string;
  readonly group: string;
  readonly owner: string;
  /** Name of the consumer group after the log's prefix. */
  readonly shownAs: string;
}

export interface OffsetMirrorPorts {
  readonly client: KafkaClient;
  readonly control: ControlLog;
  readonly settings: TopicSettings;
  readonly log: BusLog;
}

interface Mirrored extends MirroredMember {
  /** Offsets that the brokers have, by lane. */
  readonly sent: Map<number, { readonly committed: number; readonly at: number }>;
  failing: boolean;
}

const POLL_INTERVAL_MS = 1_000;
/** A member that leaves waits for the last word so long at most. */
const LAST_MS = 2_000;
/**
 * Unchanged offsets are sent again after this time: a paused member may have sent an older one, and brokers drop
 * offsets of groups without members.
 */
const RESEND_MS = 60_000;
/** `OffsetCommit` of a client that is no member: brokers take it while the group has none. */
const NO_GENERATION = -1;

/**
 * Commits the members' offsets from the control log to ordinary consumer groups too, for Kafka's own tools and lag
 * exporters. Nothing reads them here: a missed update is sent later.
 */
export class OffsetMirror {
  readonly #ports: OffsetMirrorPorts;
  readonly #connection: Reconnecting<Cluster>;
  readonly #members = new Set<Mirrored>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  #polling: Promise<void> = Promise.resolve();

  constructor(ports: OffsetMirrorPorts) {
    this.#ports = ports;
    this.#connection = new Reconnecting(
      async () => {
        const cluster = ports.client.cluster();
        await cluster.connect();
        return cluster;
      },
      (cluster) => cluster.disconnect(),
    );
  }

  /** Begins to show the member's lanes. The call that it answers shows them once more, and ends it. */
  follow(member: MirroredMember): () => Promise<void> {
    const mirrored: Mirrored = { ...member, sent: new Map(), failing: false };
    this.#members.add(mirrored);
    this.#timer ??= setInterval(() => this.#poll(), POLL_INTERVAL_MS).unref();
    return async () => {
      if (!this.#members.delete(mirrored)) return;
      const sent = this.#polling.then(() => this.#send(mirrored));
      await Promise.race([sent, sleep(LAST_MS, undefined, { ref: false })]);
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    this.#members.clear();
    await this.#connection.close();
  }

  /** One look at a time: brokers may take longer than the pause between two. */
  #poll(): void {
    this.#polling = this.#polling.then(async () => {
      for (const member of this.#members) await this.#send(member);
    });
  }

  async #send(member: Mirrored): Promise<void> {
    const { settings } = this.#ports;
    const now = performance.now();
    const due = this.#getLanes(member).filter(({ lane, committed }) => {
      const sent = member.sent.get(lane);
      return sent?.committed !== committed || now - sent.at >= RESEND_MS;
    });
    if (due.length === 0) return;
    const partitions = due.map(({ lane, committed }) => ({ partition: lane, offset: String(committed) }));
    try {
      await this.#commit(settings.consumerGroup(member.shownAs), settings.data(member.topic), partitions);
      for (const { lane, committed } of due) member.sent.set(lane, { committed, at: now });
      member.failing = false;
    } catch (error) {
      this.#failed(member, error);
    }
  }

  #getLanes({ topic, group, owner }: Mirrored): readonly LaneState[] {
    const { control } = this.#ports;
    if (!control.isRead) return [];
    const lanes = control.state.groups.get(groupKey(topic, group))?.lanes ?? [];
    return lanes.filter((lane) => lane.owner === owner).map((lane) => ({ ...lane }));
  }

  #commit(
    groupId: string,
    topic: string,
    partitions: readonly { readonly partition: number; readonly offset: string }[],
  ): Promise<void> {
    return this.#connection.use(async (cluster) => {
      const coordinator = await cluster.findGroupCoordinator({ groupId });
      await coordinator.offsetCommit({
        groupId,
        groupGenerationId: NO_GENERATION,
        memberId: '',
        topics: [{ topic, partitions }],
      });
    });
  }

  #failed(member: Mirrored, error: unknown): void {
    if (member.failing || this.#closed) return;
    member.failing = true;
    this.#ports.log.warn(
      { group: member.group, shownAs: member.shownAs, reason: getInnermostReason(error) },
      'offsets cannot be shown in a consumer group of Kafka; the stage itself needs none',
    );
  }
}
