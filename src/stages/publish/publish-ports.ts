import type { LaneLease, LaneTransform, LogConsumer, LogRecord } from '../../platform/bus/port.ts';
import type { NativeParts } from '../../ton/kernel/native-parts.ts';
import type { RecordEncoder } from './record-encoder.ts';

/** Why a record could not be used. */
export interface Failure {
  readonly code: string;
  readonly message: string;
}

/** One record of the log as rows; `release` gives their memory back and is called once. */
export interface DecodedRecord {
  readonly failure: Failure | null;
  readonly parts: readonly NativeParts[];
  release(): void;
}

/** Decodes records of the log, several at a time if they are given so. */
export interface PublishDecoder {
  decode(record: LogRecord): Promise<DecodedRecord>;
  close(): Promise<void>;
}

/** What the stage is plugged into. */
export interface PublishPorts {
  readonly consumer: LogConsumer;
  readonly decoder: PublishDecoder;
  readonly encoder: RecordEncoder;
  /** Takes a lane over; throws `FencedError` where it is somebody else's by now. */
  readonly transform: (lease: LaneLease) => Promise<LaneTransform>;
  /** Resolves once the letter is durable; one that cannot be written stops the stage. */
  readonly deadLetter: (record: LogRecord, failure: Failure) => Promise<void>;
  readonly onBatch: (batch: PublishedBatch) => void;
  /** Something that people should know: a lane lost or taken, a step that stood in the log twice. */
  readonly onNotice: (text: string) => void;
}

/** What one transaction made visible. */
export interface PublishedBatch {
  readonly lane: number;
  readonly next: number;
  readonly blocks: number;
  readonly records: number;
  readonly deadLetters: number;
  readonly repeated: number;
}
