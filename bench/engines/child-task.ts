import type { EngineName } from './engine-list.ts';
import type { StorePlace } from './key-store.ts';
import type { Inserts } from './measure-inserts.ts';
import type { Reads } from './measure-reads.ts';

/** What a child does with a store. */
export type ChildTask = { readonly engine: EngineName; readonly place: Omit<StorePlace, 'mode'> } & (
  | { readonly kind: 'measure'; readonly keys: number; readonly minutes: number }
  /** Inserts until it is killed. */
  | { readonly kind: 'insert'; readonly firstBatch: number }
  | { readonly kind: 'count'; readonly batches: number }
  /** Reads in a process that does not write. */
  | { readonly kind: 'watch' }
);

/** Figures of one engine at the full number of keys. */
export interface Measures {
  readonly inserts: Inserts;
  /** On disk after the store was closed, bytes for each key. */
  readonly diskPerKey: number;
  /** From opening the store to read until its engine had merged files. Reads began then. */
  readonly mergeSeconds: number;
  readonly present: Reads;
  readonly absent: Reads;
}

/** Batches that are in a store. */
export interface BatchCount {
  /** Numbers of batches, ascending, of which no row is missing. */
  readonly complete: readonly number[];
  /** Batches of which some rows are missing. */
  readonly partial: number;
}

/** What a child reports. */
export type ChildMessage =
  | { readonly kind: 'ready' }
  /** The batch is committed. */
  | { readonly kind: 'committed'; readonly batch: number }
  | { readonly kind: 'measured'; readonly measures: Measures }
  | { readonly kind: 'counted'; readonly count: BatchCount }
  /** What a process sees while another one writes. */
  | { readonly kind: 'watched'; readonly visible: Visibility }
  | { readonly kind: 'failed'; readonly error: string };

/** `later`: batches that were committed after the store was opened, too. `earlier`: only those before. */
export type Visibility = 'later' | 'earlier' | 'nothing';
