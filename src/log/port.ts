/**
 * The port of the log: append-only topics divided into lanes, consumer groups with fenced leases, and the journal that
 * makes a sink exactly once. Implementations: `embedded/` (SQLite) and `kafka/`. One contract suite (test/contract/log)
 * runs against all of them.
 *
 * Vocabulary: a *step* is the unit of appending (for raw-blocks: one masterchain step); its *position* is a number that
 * grows along the chain (the masterchain seqno); an *epoch* is a range of positions; a *lane* is a partition of a
 * topic, `epoch mod lanes`. Offsets grow within one lane, from 0. Numbers may be missing between two records (Kafka
 * keeps transaction markers there), so an offset names a record but does not count records. Reading continues after a
 * record at its offset + 1.
 */

/** Identity of a log; fixed at creation and compared at every start. */
export interface LogIdentity {
  /** Label used in database and topic names, e.g. `mainnet`. */
  readonly network: string;
  /** Unique id of the network (for a chain: root and file hash of the zerostate, hex, `root:file`). */
  readonly id: string;
  /** Positions per epoch. */
  readonly epochSize: number;
  readonly lanes: number;
  /** Further facts fixed at creation, compared exactly (e.g. `continuity`, `start_lt`). */
  readonly facts: Readonly<Record<string, string>>;
}

export interface NewRecord {
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly value: Uint8Array;
}

/** Records that become visible together, in their order. */
export interface NewStep {
  readonly position: number;
  readonly epoch: number;
  readonly lane: number;
  readonly records: readonly NewRecord[];
}

export interface LogRecord extends NewRecord {
  readonly lane: number;
  readonly offset: number;
  readonly epoch: number;
  readonly position: number;
  /** The last record of its step: a batch may end here and nowhere else. */
  readonly endsStep: boolean;
  /** Unix time of the append, milliseconds. */
  readonly appendedAt: number;
}

/** Both bounds are soft: at least one whole step is returned, if there is one. */
export interface ReadLimit {
  readonly records: number;
  readonly bytes: number;
  /** Values come empty, and the embedded log reads none: for who only counts. Default false. */
  readonly withoutValues?: boolean;
}

/** Records of sealed files, by their positions and keys. */
export interface SealedQuery {
  /** Lowest and highest position, both inclusive. */
  readonly first: number;
  readonly last: number;
  /** Only records with these keys. Default: all. */
  readonly keys?: readonly string[];
  /** Values come empty, and none are read. Default false. */
  readonly withoutValues?: boolean;
}

/** The right of one owner to write a topic or to consume a lane; a newer generation fences an older one. */
export interface Lease {
  readonly generation: number;
  readonly owner: string;
}

export interface LaneLease extends Lease {
  readonly lane: number;
  /** The first offset that is not committed yet, when the lease was taken or last renewed. */
  readonly committed: number;
}

/** One writer a topic. Every call throws `FencedError` once another owner has taken the lease. */
export interface LogWriter {
  readonly lease: Lease;
  /** The last record of the step with the highest position, or null in an empty topic: where capture resumes. */
  tail(): Promise<LogRecord | null>;
  /** Appends whole steps in one transaction: all of them are readable afterwards, or none. */
  append(steps: readonly NewStep[]): Promise<void>;
  /** Gives the lease up; a second call does nothing. */
  release(): Promise<void>;
}

/** A batch that is about to be, or has been, written to a sink: a contiguous offset range of one lane and epoch. */
export interface JournalEntry {
  readonly lane: number;
  readonly epoch: number;
  /** Offset of the first record: the first one at or after the committed offset. */
  readonly from: number;
  /** Offset of the last record + 1. */
  readonly next: number;
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** 1 for the first try; a range that was deleted and is inserted again counts up. */
  readonly attempt: number;
  /** Rows expected by target table. */
  readonly expected: Readonly<Record<string, number>>;
}

/** A member of a consumer group. Lanes are shared among the live members; each lane has one owner at a time. */
export interface LogConsumer {
  readonly group: string;
  /**
   * Renews the leases held and takes a fair share of the free ones; call it at least every third of the session
   * timeout. Lanes that are missing from the answer are lost: stop their work before the next write.
   */
  claim(): Promise<readonly LaneLease[]>;
  /**
   * Remaining time of the lease without renewal, ms: 0 if it lapsed or was lost. Computed without asking the log, by
   * this process's monotonic clock from the latest claim. Checked right before every write that the lease allows.
   */
  left(lease: LaneLease): number;
  /**
   * Records from `from` on, whole steps only, never across an epoch's border. Throws `ChainGapError` for a partition
   * whose next step is not kept any more.
   */
  read(lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]>;
  /** Resolves when something may be readable on the group's topic, or after `ms`. */
  waitForData(ms: number): Promise<void>;
  /** Writes the intent of a batch before the sink is touched. Throws `FencedError` for a lapsed lease. */
  journal(lease: LaneLease, entry: JournalEntry): Promise<void>;
  /** The entry of the lane that was journalled and not confirmed (at most one), by any writer. */
  pending(lease: LaneLease): Promise<JournalEntry | null>;
  /** In one transaction: the lane's journalled entry is done and its `next` is the committed offset. */
  confirm(lease: LaneLease, entry: JournalEntry): Promise<void>;
  /** Moves the committed offset if there is no sink to journal. */
  commit(lease: LaneLease, next: number): Promise<void>;
  /** Gives all leases up. */
  release(): Promise<void>;
}

export interface ConsumerOptions {
  readonly topic: string;
  readonly group: string;
  /** Name of this process in leases, e.g. `host:pid:random`. */
  readonly owner: string;
  /** A member silent for this long loses its lanes. */
  readonly sessionMs: number;
  /**
   * Shares this many partitions among the members instead of lanes; fixed when the group is created. `lane` is then a
   * partition's number in leases, entries and records. Each partition reads all lanes of a topic of steps in chain
   * order, without copies of steps, and commits its own position. Offsets follow from positions (`toOffset`); 0 is the
   * first step that the log keeps.
   */
  readonly partitions?: number;
  /**
   * Shows the committed offsets to tools of the log's store: on Kafka as the consumer group `<prefix>.<shownAs>`.
   * Offsets of partitions are not lane offsets, and are not shown. Default: not shown.
   */
  readonly shownAs?: string;
}

/** Records of a step at most, where offsets follow from positions. */
const OFFSETS_A_STEP = 65_536;

/** Offset of a step's first record where offsets follow from positions: in partitions, and in a replay. */
export const toOffset = (position: number): number => position * OFFSETS_A_STEP;

/** Position of the first step that begins at or after an offset. */
export const stepFrom = (offset: number): number => Math.ceil(offset / OFFSETS_A_STEP);

export interface LaneBounds {
  readonly lane: number;
  /** Oldest offset that is kept; `next` where nothing is. */
  readonly first: number;
  /** Offset of the last record + 1: the next record gets this offset or a greater one. */
  readonly next: number;
}

/** Records of a lane that are gone although they were not freed by `trim`: on Kafka by retention or an operator. */
export interface DeletedRange {
  readonly lane: number;
  /** First offset that is gone. */
  readonly first: number;
  /** First offset that is kept after them; the end of the lane if nothing is. */
  readonly next: number;
  /** Epoch of the first of them. */
  readonly firstEpoch: number;
}

/**
 * Kind of a topic. `steps`: lanes and epochs under one leased writer.
 * `records`: one lane, written by `put`.
 */
export type TopicKind = 'steps' | 'records';

export interface GroupLag {
  readonly topic: string;
  readonly group: string;
  /** Number of the lane; in a group with partitions, of the partition. */
  readonly lane: number;
  /** Offset, or of a partition the position of the step that comes next (0: the log's first). */
  readonly committed: number;
  /** Like `next` of the lane's bounds, or the position after the tail: equal to `committed` when everything is done. */
  readonly end: number;
  readonly owner: string | null;
  /** `committed` and `end` are positions of steps. */
  readonly isPartition?: true;
}

/** Who may append to a topic of steps. */
export interface WriterLease {
  readonly owner: string;
  /** When the lease ends unless it is renewed, Unix time in ms. */
  readonly expiresAt: number;
}

export interface Bus {
  /** The identity recorded at creation, or null in a new log. */
  identity(): Promise<LogIdentity | null>;
  /** Records the identity of a new log; of an existing one throws `IdentityMismatchError` naming what differs. */
  establish(identity: LogIdentity): Promise<void>;
  topics(): Promise<readonly string[]>;
  /** Takes the write lease of a topic; throws `LeaseHeldError` (owner, until when) where another writer is alive. */
  writer(topic: string, owner: string, sessionMs: number): Promise<LogWriter>;
  /** The lease of a topic's writer; null if no live process holds it. */
  writerLease(topic: string): Promise<WriterLease | null>;
  consumer(options: ConsumerOptions): Promise<LogConsumer>;
  /** Any records of a lane, by offset, without a group: dead letters, replay, tools. */
  read(topic: string, lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]>;
  /** What is sealed, by epoch; nothing in a log that seals nothing. */
  sealed(topic: string): Promise<readonly SealedRange[]>;
  /**
   * Records of sealed files at some positions, in the order of their offsets. The indexes of the files find them: nothing
   * else is read. Empty for a log that seals nothing.
   */
  readSealed(topic: string, query: SealedQuery): Promise<readonly LogRecord[]>;
  bounds(topic: string): Promise<readonly LaneBounds[]>;
  /** Highest position that was appended to a topic of steps, -1 where none was. */
  highest(topic: string): Promise<number>;
  lag(): Promise<readonly GroupLag[]>;
  /** Appends outside of any lease (dead letters): durable when it resolves. Returns the offset. */
  put(topic: string, record: NewRecord): Promise<number>;
  /** Frees every epoch below `epoch` that all lanes and partitions of its groups have passed; returns the epochs freed. */
  trim(topic: string, epoch: number): Promise<readonly number[]>;
  /** Records that were deleted, at the beginning of each lane. Reading them throws `RecordsDeletedError`. */
  deleted(topic: string): Promise<readonly DeletedRange[]>;
  /** Lets readers continue after the deleted records: the caller has them elsewhere. */
  passDeleted(topic: string, ranges: readonly DeletedRange[]): Promise<void>;
  /**
   * Positions of kept records that a group which shares lanes has passed, both ends inclusive.
   * null if this would require reading all records.
   */
  committedPositions(
    topic: string,
    group: string,
  ): Promise<readonly { readonly first: number; readonly last: number }[] | null>;
  /**
   * Checks what the log itself is kept in, part by part; answers what is wrong, in words. Values are not looked at. A log
   * on Kafka is checked by the brokers.
   */
  check(onPart: (done: number, total: number) => void): Promise<readonly string[]>;
  /** Kept bytes: on disk if the log belongs to this process (embedded), else of the topics' values. */
  size(): Promise<number>;
  close(): Promise<void>;
}

/** An epoch, or a part of one, in a sealed file. */
export interface SealedRange {
  /** Number of the file, unique in its log. */
  readonly id: number;
  readonly epoch: number;
  /** Lowest and highest position of its records. */
  readonly first: number;
  readonly last: number;
  readonly records: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Folder of the file, which may have been moved; null if it is gone. */
  readonly folder: string | null;
}

/** A log in the data directory, which can seal its old epochs: they take less space and are read as before. */
export interface SealingBus extends Bus {
  /**
   * Seals the epochs before that of the newest step which all groups have passed, until `signal` aborts. Returns the
   * new sealed files. Safe at any moment: an epoch is freed only after its sealed copy was written to the disk, read
   * back and compared.
   */
  seal(topic: string, signal: AbortSignal): Promise<readonly SealedRange[]>;
  /** Number of files that `seal` would seal now. */
  sealable(topic: string): Promise<number>;
  /**
   * Takes a sealed file of another log of this network into this one, which has no records of its own yet. Its records keep
   * their offsets if these are free. Every byte is compared with the file's checksums. The other log keeps the file. Throws
   * `UnreadableLogError` if it cannot be used.
   */
  adoptSealed(path: string): Promise<SealedRange>;
  /**
   * Takes a copy of a sealed file of another log of this network; null if this log has it. The records come after those of
   * their lane, and the groups that were at its end pass them. Every byte of the copy is compared with the file's checksums, and it
   * is on the disk, before the log has it. Of a file in a bucket the log gets the address. Throws `UnreadableLogError` if it
   * cannot be used.
   */
  joinSealed(path: string): Promise<SealedRange | null>;
}

/** A record for a topic that others read (`TransformOptions.outputs`): its place there is chosen by who makes it. */
export interface OutputRecord extends NewRecord {
  readonly topic: string;
  readonly partition: number;
}

/** Progress of a lane's transformation, written with its records in one transaction. */
export interface TransformProgress {
  /** The first offset whose records are not out yet. */
  readonly next: number;
  /** Value that the stage left for its successor; empty at first. */
  readonly note: string;
}

/**
 * Converts one lane of a topic to records of other topics, exactly once for readers of committed records. Fenced twice:
 * by the lane's lease, and by the brokers, which refuse an earlier owner. Calls are sequential.
 */
export interface LaneTransform {
  /** State after the last transaction of the lane, of any process. */
  readonly progress: TransformProgress;
  /**
   * In one transaction: appends the records and moves the progress. Throws `FencedError` where another owner has the
   * lane; then nothing of it was written.
   */
  write(records: readonly OutputRecord[], progress: TransformProgress): Promise<void>;
  /** Reports the lane's progress to the group, for lag and `trim`; `write` also does this at intervals. */
  settle(): Promise<void>;
  close(): Promise<void>;
}

export interface TransformOptions {
  readonly topic: string;
  readonly group: string;
  /** Output topics; created if missing, with as many partitions as the log has lanes. */
  readonly outputs: readonly string[];
}

/** A transformation whose output is amended. */
export interface AmendmentOptions extends TransformOptions {
  /** Topic of single records that name the inserted inputs; created if missing. */
  readonly done: string;
}

/** Output that was left out when its lane went by, brought in later: one process at a time. */
export interface Amendment {
  /**
   * Appends the records, and `done` to its topic, in one transaction. Throws on failure and does not retry: after a
   * lost answer, the topic shows the outcome.
   */
  write(records: readonly OutputRecord[], done: NewRecord): Promise<void>;
  close(): Promise<void>;
}

/** A log on which records can become records of other topics. */
export interface TransformingBus extends Bus {
  /** Fences an earlier amendment, whose writes are settled when this resolves. */
  amend(options: AmendmentOptions): Promise<Amendment>;
  /** Goes on with a lane that this process holds as a member of the group. */
  transform(options: TransformOptions, lease: LaneLease): Promise<LaneTransform>;
}
