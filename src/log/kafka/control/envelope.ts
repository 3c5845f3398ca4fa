/** A command in the log. */
export interface Envelope {
  readonly v: 1;
  /** The process that gave it, and its number there. */
  readonly client: string;
  readonly seq: number;
  readonly name: string;
  readonly args: unknown;
}

/** The state after all commands up to an offset: a new process starts there, and older commands are not needed. */
export interface SnapshotRecord {
  readonly v: 1;
  readonly upTo: number;
  readonly state: string;
}
