import { type ChainExtent, endOfChain, problemOfChainRange } from '../../chain/chain-range.ts';
import type { LaneRight } from '../../coordination/commands.ts';
import { checkLease, requireGroup } from '../../coordination/lane-rights.ts';
import { LeaseDeadlines } from '../../lease-deadlines.ts';
import {
  type ConsumerOptions,
  type JournalEntry,
  type LaneLease,
  type LogConsumer,
  type LogIdentity,
  type LogRecord,
  type ReadLimit,
  stepFrom,
} from '../../port.ts';
import type { CallGate } from '../call-gate.ts';
import type { ControlLog } from '../control/control-log.ts';
import type { OpenTopic } from '../topics/topic-registry.ts';
import { waitForChange } from './data-wait.ts';
import { problemOfRange, SeenGaps } from './journal-range.ts';

export interface ConsumerPorts {
  readonly control: ControlLog;
  readonly topic: OpenTopic;
  readonly gate: CallGate;
  /** Shows how far the lanes are, once more and for the last time. */
  readonly endMirror: () => Promise<void>;
  readonly identity: Pick<LogIdentity, 'epochSize'>;
}

/** A member of a group; the control log decides about all its rights. */
export class KafkaConsumer implements LogConsumer {
  readonly group: string;
  readonly #ports: ConsumerPorts;
  readonly #options: ConsumerOptions;
  /** Generation of this member's leases that it does not know to be lost. */
  readonly #held = new Map<number, number>();
  /** Lanes whose latest read came back empty, with the offset asked for. */
  readonly #drained = new Map<number, number>();
  readonly #gaps = new SeenGaps();
  readonly #deadlines: LeaseDeadlines;

  constructor(ports: ConsumerPorts, options: ConsumerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.group = options.group;
    this.#deadlines = new LeaseDeadlines(options.sessionMs);
  }

  claim(): Promise<readonly LaneLease[]> {
    return this.#call('claim', async () => {
      const { sessionMs } = this.#options;
      const leases = await this.#deadlines.claimed(() =>
        this.#ports.control.execute('claim', { ...this.#member(), sessionMs }),
      );
      this.#held.clear();
      for (const { lane, generation } of leases) this.#held.set(lane, generation);
      return leases;
    });
  }

  left(lease: LaneLease): number {
    return this.#deadlines.left(lease);
  }

  read(lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    return this.#call('read', async () => {
      const records = await this.#ports.topic.read(lane, from, limit);
      if (records[0]) this.#drained.delete(lane);
      else this.#drained.set(lane, from);
      this.#gaps.add(lane, from, records);
      return records;
    });
  }

  waitForData(ms: number): Promise<void> {
    const watched = [...this.#drained].filter(([lane]) => this.#held.has(lane));
    return waitForChange(this.#ports.topic, new Map(watched), ms, this.#ports.gate);
  }

  journal(lease: LaneLease, entry: JournalEntry): Promise<void> {
    return this.#call('journal', async () => {
      const { control } = this.#ports;
      const checkedAt = this.#committed(lease.lane);
      const problem = await this.#findProblem(entry, checkedAt);
      await control.execute('journal', { ...this.#right(lease), entry, checkedAt, problem });
    });
  }

  pending(lease: LaneLease): Promise<JournalEntry | null> {
    return this.#call('pending', async () => {
      const { control } = this.#ports;
      await control.fresh('pending');
      return checkLease(control.state, this.#right(lease)).pending;
    });
  }

  confirm(lease: LaneLease, entry: JournalEntry): Promise<void> {
    return this.#call('confirm', () =>
      this.#ports.control.execute('confirm', { ...this.#right(lease), entry }),
    );
  }

  commit(lease: LaneLease, next: number): Promise<void> {
    return this.#call('commit', async () => {
      const { control, topic } = this.#ports;
      const end = this.#isPartitioned
        ? endOfChain(await this.#extent(stepFrom(next) - 1))
        : await readEnd(topic, lease.lane, next);
      await control.execute('commit', { ...this.#right(lease), next, end });
    });
  }

  release(): Promise<void> {
    return this.#call('release', async () => {
      this.#deadlines.clear();
      await this.#ports.endMirror();
      await this.#ports.control.execute('leave', this.#member());
      this.#held.clear();
    });
  }

  #call<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
    return this.#ports.gate.run(`${operation} of ${this.group}`, call);
  }

  get #isPartitioned(): boolean {
    return this.#options.partitions !== undefined;
  }

  async #findProblem(entry: JournalEntry, committed: number): Promise<string | null> {
    if (!this.#isPartitioned) return problemOfRange(this.#ports.topic, entry, committed, this.#gaps);
    return problemOfChainRange(entry, committed, await this.#extent(stepFrom(entry.next) - 1));
  }

  /** Last position of the chain; refreshed if `wanted` is above the known one. */
  async #extent(wanted: number): Promise<ChainExtent> {
    const { topic, identity } = this.#ports;
    if (topic.kind !== 'steps') return { ...identity, tail: -1 };
    const tail = () => topic.index.tail?.position ?? -1;
    if (wanted > tail()) await topic.fresh(`end of ${topic.name}`);
    return { epochSize: identity.epochSize, tail: tail() };
  }

  #member() {
    const { topic, group, owner } = this.#options;
    return { topic, group, owner, held: [...this.#held] };
  }

  #right({ lane, generation }: LaneLease): LaneRight {
    const { topic, group, owner } = this.#options;
    return { topic, group, owner, lane, generation };
  }

  #committed(lane: number): number {
    const { topic, group } = this.#options;
    return requireGroup(this.#ports.control.state, topic, group).lanes[lane]?.committed ?? 0;
  }
}

/** The offset after the lane's last record; refreshed if `wanted` is above the known one. */
export async function readEnd(topic: OpenTopic, lane: number, wanted: number): Promise<number> {
  if (topic.kind === 'records') return topic.end();
  if (wanted > topic.index.end(lane)) await topic.fresh(`end of ${topic.name}`);
  return topic.index.end(lane);
}
