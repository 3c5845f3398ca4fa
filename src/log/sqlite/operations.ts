import type {
  ConsumerOptions,
  GroupLag,
  JournalEntry,
  LaneBounds,
  LaneLease,
  Lease,
  LogIdentity,
  LogRecord,
  ReadLimit,
  SealedQuery,
  SealedRange,
  WriterLease,
} from '../port.ts';
import type { RemoteReading } from '../sealed/remote/remote-frames.ts';
import type { FileCheck } from './check-files.ts';
import type { SegmentPositions } from './committed-positions.ts';
import type { RecordMeta, StepMeta } from './plan-append.ts';

/** Calls of the bus to its worker thread; writers and consumers are numbers there. */
export interface Operations {
  identity(): LogIdentity | null;
  establish(identity: LogIdentity): void;
  topics(): readonly string[];
  read(topic: string, lane: number, from: number, limit: ReadLimit): readonly LogRecord[];
  bounds(topic: string): readonly LaneBounds[];
  highest(topic: string): number;
  lag(): readonly GroupLag[];
  put(topic: string, record: RecordMeta, value: Uint8Array): number;
  trim(topic: string, epoch: number): readonly number[];
  size(): number;
  checkFile(index: number): Promise<FileCheck>;
  committedPositions(topic: string, group: string, index: number): Promise<SegmentPositions>;

  sealed(topic: string): readonly SealedRange[];
  sealable(topic: string): number;
  adoptSealed(path: string): Promise<SealedRange>;
  joinSealed(path: string): Promise<SealedRange | null>;
  readSealed(topic: string, query: SealedQuery): readonly LogRecord[];
  openSealing(topic: string): number;
  /** Does the next step; false after the last one. */
  sealOn(sealing: number): boolean;
  closeSealing(sealing: number): void;

  openWriter(topic: string, owner: string, sessionMs: number): { readonly id: number; readonly lease: Lease };
  writerLease(topic: string): WriterLease | null;
  tail(writer: number): LogRecord | null;
  append(writer: number, steps: readonly StepMeta[], values: Uint8Array): void;
  releaseWriter(writer: number): void;

  openConsumer(options: ConsumerOptions): number;
  claim(consumer: number): readonly LaneLease[];
  consume(consumer: number, lane: number, from: number, limit: ReadLimit): readonly LogRecord[];
  waitForData(consumer: number, ms: number): Promise<void>;
  journal(consumer: number, lease: LaneLease, entry: JournalEntry): void;
  pending(consumer: number, lease: LaneLease): JournalEntry | null;
  confirm(consumer: number, lease: LaneLease, entry: JournalEntry): void;
  commit(consumer: number, lease: LaneLease, next: number): void;
  releaseConsumer(consumer: number): void;
}

/** What the thread that holds the files is started with. */
export interface ThreadData {
  readonly directory: string;
  /** How sealed files in buckets are read. Default: they are not. */
  readonly reading?: RemoteReading | undefined;
}

export type OperationName = keyof Operations;

export interface Request {
  readonly id: number;
  readonly operation: OperationName | 'close';
  readonly args: readonly unknown[];
}

/** An error as it travels between threads: structured clone keeps neither class nor fields. */
export interface ErrorFacts {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** `id` 0 answers the start: the files are open, or the error has the reason. */
export type Response =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: ErrorFacts };
