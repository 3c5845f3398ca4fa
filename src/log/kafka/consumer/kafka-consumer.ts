import type {
  ConsumerOptions,
  JournalEntry,
  LaneLease,
  LogConsumer,
  LogRecord,
  ReadLimit,
} from '../../port.ts';
import type { CallGate } from '../call-gate.ts';
import type { LaneRight } from '../control/commands.ts';
import type { ControlLog } from '../control/control-log.ts';
import { checkLease, requireGroup } from '../control/lane-rights.ts';
import type { OpenTopic } from '../topics/topic-registry.ts';
import { waitForChange } from './data-wait.ts';
import { problemOfRange, SeenGaps } from './journal-range.ts';

export interface ConsumerPorts {
  readonly control: ControlLog;
  readonly topic: OpenTopic;
  readonly gate: CallGate;
}

/** A member of a group; the control log decides about all its rights. */
export class KafkaConsumer implements LogConsumer {
  readonly group: string;
  readonly #ports: ConsumerPorts;
  readonly #options: ConsumerOptions;
  /** Generation of the leases that this member was given and not told to have lost. */
  readonly #held = new Map<number, number>();
  /** Lanes whose latest read came back empty, with the offset asked for. */
  readonly #drained = new Map<number, number>();
  readonly #gaps = new SeenGaps();

  constructor(ports: ConsumerPorts, options: ConsumerOptions) {
    this.#ports = ports;
    this.#options = options;
    this.group = options.group;
  }

  claim(): Promise<readonly LaneLease[]> {
    return this.#call('claim', async () => {
      const { sessionMs } = this.#options;
      const leases = await this.#ports.control.execute('claim', { ...this.#member(), sessionMs });
      this.#held.clear();
      for (const { lane, generation } of leases) this.#held.set(lane, generation);
      return leases;
    });
  }

  read(lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    return this.#call('read', async () => {
      const records = await this.#ports.topic.read(lane, from, limit);
      if (records[0]) this.#drained.delete(lane);
      else this.#drained.set(lane, from);
      this.#gaps.remember(lane, from, records);
      return records;
    });
  }

  waitForData(ms: number): Promise<void> {
    const watched = [...this.#drained].filter(([lane]) => this.#held.has(lane));
    return waitForChange(this.#ports.topic, new Map(watched), ms, this.#ports.gate);
  }

  journal(lease: LaneLease, entry: JournalEntry): Promise<void> {
    return this.#call('journal', async () => {
      const { control, topic } = this.#ports;
      const checkedAt = this.#committed(lease.lane);
      const problem = await problemOfRange(topic, entry, checkedAt, this.#gaps);
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
      const end = await endOf(topic, lease.lane, next);
      await control.execute('commit', { ...this.#right(lease), next, end });
    });
  }

  release(): Promise<void> {
    return this.#call('release', async () => {
      await this.#ports.control.execute('leave', this.#member());
      this.#held.clear();
    });
  }

  #call<Result>(operation: string, call: () => Promise<Result>): Promise<Result> {
    return this.#ports.gate.run(`${operation} of ${this.group}`, call);
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

/** Behind the lane's last record; looked up again where `wanted` lies behind what is known. */
export async function endOf(topic: OpenTopic, lane: number, wanted: number): Promise<number> {
  if (topic.kind === 'records') return topic.end();
  if (wanted > topic.index.end(lane)) await topic.fresh(`end of ${topic.name}`);
  return topic.index.end(lane);
}
