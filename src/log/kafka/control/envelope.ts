/** A command as it stands in the log. */
export interface Envelope {
  readonly v: 1;
  /** The process that gave it, and its number there. */
  readonly client: string;
  readonly seq: number;
  readonly name: string;
  readonly args: unknown;
}

/** The state behind all commands up to an offset: where a new process begins, and what makes older ones superfluous. */
export interface SnapshotRecord {
  readonly v: 1;
  readonly upTo: number;
  readonly state: string;
}
