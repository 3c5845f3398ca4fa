import type { Following } from '../wire/partition-follower.ts';
import type { StoredRecord } from '../wire/record-batch.ts';
import { applyEnvelope, forgetClients, NewerControlLogError, type Outcome } from './apply-envelope.ts';
import { type ControlState, emptyState, readState, writeState } from './control-state.ts';
import type { Envelope, SnapshotRecord } from './envelope.ts';

export interface ReplicaListener {
  /** One of this process's commands took effect, or was refused. */
  settled(seq: number, outcome: Outcome): void;
  /** Fails this process's commands up to `seq` that are not settled by now: they never will be. */
  lost(seq: number): void;
  /** It is this process's turn to write a snapshot. */
  snapshotDue(text: string): void;
  /** This process's snapshot is in the log: records before the offset are not needed. */
  superfluous(before: number): void;
}

/**
 * A copy of the control state, kept by applying the control log. A log whose beginning was deleted is read from its
 * first snapshot that leaves no gap: commands before it wait until it is there.
 */
export class ControlReplica implements Following {
  readonly #client: string;
  readonly #snapshotEvery: number;
  readonly #listener: ReplicaListener;
  #state: ControlState | null = null;
  #early: StoredRecord[] = [];
  #start = 0;
  #sinceSnapshot = 0;
  #snapshotUpTo: number | null = null;
  #writing = false;

  constructor(client: string, snapshotEvery: number, listener: ReplicaListener) {
    this.#client = client;
    this.#snapshotEvery = snapshotEvery;
    this.#listener = listener;
  }

  get isRead(): boolean {
    return this.#state !== null;
  }

  get state(): ControlState {
    if (!this.#state) throw new Error('the control log was not read yet');
    return this.#state;
  }

  restart(from: number): void {
    this.#state = from === 0 ? emptyState() : null;
    this.#early = [];
    this.#start = from;
    this.#sinceSnapshot = 0;
    this.#snapshotUpTo = null;
  }

  apply(records: readonly StoredRecord[]): void {
    for (const record of records) this.#applyRecord(record);
  }

  snapshotFailed(): void {
    this.#writing = false;
  }

  #applyRecord(record: StoredRecord): void {
    const text = Buffer.from(record.value ?? []).toString('utf8');
    if (record.key === 'snapshot') this.#applySnapshot(record, JSON.parse(text) as SnapshotRecord & Author);
    else if (record.key === 'command') this.#applyText(record, text);
    else throw new NewerControlLogError(record.offset, `a record of kind ${record.key}`);
  }

  #applyText(record: StoredRecord, text: string): void {
    if (!this.#state) {
      this.#early.push(record);
      return;
    }
    const envelope = JSON.parse(text) as Envelope;
    const outcome = applyEnvelope(this.#state, envelope, record.offset, record.timestamp);
    this.#sinceSnapshot++;
    if (envelope.client !== this.#client) return;
    this.#listener.settled(envelope.seq, outcome);
    if (this.#sinceSnapshot >= this.#snapshotEvery && !this.#writing) this.#snapshot(record.offset);
  }

  #snapshot(upTo: number): void {
    this.#writing = true;
    const record: SnapshotRecord & Author = {
      v: 1,
      upTo,
      state: writeState(this.state),
      client: this.#client,
    };
    this.#listener.snapshotDue(JSON.stringify(record));
  }

  #applySnapshot({ offset, timestamp }: StoredRecord, snapshot: SnapshotRecord & Author): void {
    if (snapshot.v !== 1) throw new NewerControlLogError(offset, `a snapshot of version ${snapshot.v}`);
    if (!this.#state) {
      // The older of two snapshots written at once may name commands that are deleted already.
      if (snapshot.upTo < this.#start - 1) return;
      this.#load(snapshot);
    }
    forgetClients(this.state, timestamp);
    this.#sinceSnapshot = 0;
    const before = this.#snapshotUpTo;
    this.#snapshotUpTo = snapshot.upTo;
    if (snapshot.client !== this.#client) return;
    this.#writing = false;
    // One older snapshot is kept, for those who are reading from it.
    if (before !== null) this.#listener.superfluous(before + 1);
  }

  #load(snapshot: SnapshotRecord): void {
    this.#state = readState(snapshot.state);
    this.#listener.lost(this.#state.clients.get(this.#client)?.seq ?? 0);
    const early = this.#early;
    this.#early = [];
    for (const record of early) if (record.offset > snapshot.upTo) this.#applyRecord(record);
  }
}

/** Writer of a snapshot. */
interface Author {
  readonly client: string;
}
