import { setTimeout as sleep } from 'node:timers/promises';
import { FencedError } from '../../../src/log/errors.ts';
import type { Bus, LaneLease, LogConsumer, LogRecord } from '../../../src/log/port.ts';
import { TOPIC } from '../../contract/log/test-steps.ts';

/** Sink of all members: the records of confirmed batches, and those that were written and never confirmed. */
export class Sink {
  readonly confirmed: LogRecord[] = [];
  /** Lane, and the batch that is being written there: two at a time would be two owners. */
  readonly #busy = new Map<number, string>();
  overlaps = 0;

  begin(lane: number, owner: string): void {
    if (this.#busy.has(lane)) this.overlaps++;
    this.#busy.set(lane, owner);
  }

  end(lane: number, owner: string): void {
    if (this.#busy.get(lane) === owner) this.#busy.delete(lane);
  }
}

/** A member of a group that works as a stage does: claims, and for each lane reads, journals, writes and confirms. */
export class GroupMember {
  readonly owner: string;
  readonly #bus: Bus;
  readonly #sink: Sink;
  readonly #sessionMs: number;
  readonly #workMs: number;
  readonly #lanes = new Map<number, Promise<void>>();
  #held = new Map<number, number>();
  #stopping = false;
  /** Ends without a word, as a killed process does. */
  #dead = false;
  #running: Promise<void> = Promise.resolve();

  constructor(bus: Bus, owner: string, sink: Sink, sessionMs: number, workMs: number) {
    this.#bus = bus;
    this.owner = owner;
    this.#sink = sink;
    this.#sessionMs = sessionMs;
    this.#workMs = workMs;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Finishes its batches and leaves the group. */
  async leave(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  /** Stops at once: its journalled batch stays unconfirmed, and its leases lapse. */
  async die(): Promise<void> {
    this.#dead = true;
    this.#stopping = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const { owner } = this;
    const consumer = await this.#bus.consumer({
      topic: TOPIC,
      group: 'g',
      owner,
      sessionMs: this.#sessionMs,
    });
    while (!this.#stopping) {
      const leases = await consumer.claim();
      this.#held = new Map(leases.map(({ lane, generation }) => [lane, generation]));
      for (const lease of leases)
        if (!this.#lanes.has(lease.lane)) this.#lanes.set(lease.lane, this.#work(consumer, lease));
      await sleep(this.#sessionMs / 6);
    }
    await Promise.all(this.#lanes.values());
    if (!this.#dead) await consumer.release();
  }

  async #work(consumer: LogConsumer, lease: LaneLease): Promise<void> {
    try {
      let from = lease.committed;
      const left = await consumer.pending(lease);
      if (left) {
        // The member that journalled this wrote an unknown part of it: it is written again, whole.
        await this.#write(
          consumer,
          lease,
          await this.#range(left.lane, left.from, left.next),
          left.attempt + 1,
        );
        from = left.next;
      }
      while (!this.#stopping && this.#held.get(lease.lane) === lease.generation) {
        const records = await consumer.read(lease.lane, from, { records: 5, bytes: 1_000_000 });
        if (records.length === 0) await consumer.waitForData(50);
        else from = await this.#write(consumer, lease, records, 1);
      }
    } catch (error) {
      if (!(error instanceof FencedError)) throw error;
    } finally {
      this.#lanes.delete(lease.lane);
    }
  }

  async #write(
    consumer: LogConsumer,
    lease: LaneLease,
    records: readonly LogRecord[],
    attempt: number,
  ): Promise<number> {
    const [first, last] = [records[0], records.at(-1)];
    if (!first || !last) throw new Error('a batch of nothing');
    const { lane, epoch, offset: from, position: firstPosition } = first;
    const range = { lane, epoch, from, next: last.offset + 1, firstPosition, lastPosition: last.position };
    const entry = { ...range, attempt, expected: { rows: records.length } };
    await consumer.journal(lease, entry);
    this.#sink.begin(lane, this.owner);
    await sleep(Math.random() * this.#workMs);
    if (this.#dead) {
      this.#sink.end(lane, this.owner);
      throw new FencedError('a dead member', lease.generation, null);
    }
    await consumer.confirm(lease, entry);
    this.#sink.end(lane, this.owner);
    this.#sink.confirmed.push(...records);
    return entry.next;
  }

  async #range(lane: number, from: number, next: number): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for (let at = from; at < next; at = (records.at(-1)?.offset ?? next) + 1) {
      const some = await this.#bus.read(TOPIC, lane, at, { records: 100, bytes: 1_000_000 });
      if (some.length === 0) throw new Error(`lane ${lane} has no offset ${at}`);
      records.push(...some.filter(({ offset }) => offset < next));
    }
    return records;
  }
}
