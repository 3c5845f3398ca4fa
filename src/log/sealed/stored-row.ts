/** A record as the files of the embedded log have it. `headers` is JSON; `ends_step` 1 for the last record of a step. */
export interface StoredRow {
  readonly offset: number;
  readonly position: number;
  readonly ends_step: number;
  readonly appended_at: number;
  readonly key: string;
  readonly headers: string;
  readonly value: Uint8Array;
}
