import type { WholeRow } from '../../src/client/client.ts';
import type { Answer } from './request.ts';

export type Block = WholeRow<Answer<'/api/v3/blocks'>['blocks'][number]>;
export type Transaction = WholeRow<Answer<'/api/v3/transactions'>['transactions'][number]>;
export type Message = WholeRow<Answer<'/api/v3/messages'>['messages'][number]>;
export type Trace = Answer<'/api/v3/traces'>['traces'][number];
export type Action = WholeRow<Answer<'/api/v3/actions'>['actions'][number]>;
export type AddressBook = Answer<'/api/v3/traces'>['address_book'];
export type Metadata = Answer<'/api/v3/traces'>['metadata'];

/** Metadata of a token. All texts are a stranger's. */
export interface TokenInfo {
  readonly type: string;
  /** Absent if its document was not fetched. */
  readonly valid?: boolean;
  readonly name?: string;
  readonly symbol?: string;
  readonly description?: string;
  readonly nft_index?: string;
  readonly is_scam?: boolean;
  readonly is_nsfw?: boolean;
  readonly extra?: Readonly<Record<string, unknown>>;
}

/** Names and tokens of the addresses in an answer. */
export interface Described {
  readonly address_book: AddressBook;
  readonly metadata?: Metadata;
}

/** State of a projection in `/healthz`. */
export interface ProjectionHealth {
  readonly state: string;
  readonly version?: number;
  readonly visible?: { readonly first: number; readonly last: number };
  readonly steps_behind: number | null;
}

/** A version that a replay builds or has built. */
export interface Replay {
  readonly projection: string;
  readonly version: number;
  readonly code: number;
  readonly is_served: boolean;
  /** Confirmed steps of the version, and of the served one. */
  readonly steps: number;
  readonly of: number;
  /** null until the version is complete. */
  readonly differences: Differences | null;
}

/** Differences of a version from the one that was served before. */
export interface Differences {
  readonly from: number;
  readonly addedTables: readonly string[];
  readonly removedTables: readonly string[];
  readonly addedColumns: readonly string[];
  readonly removedColumns: readonly string[];
  readonly tables: readonly {
    readonly table: string;
    readonly added: number;
    readonly removed: number;
    readonly altered: number;
    readonly columns: readonly { readonly column: string; readonly rows: number }[];
    readonly examples: readonly {
      readonly change: string;
      readonly key: Readonly<Record<string, string>>;
      readonly columns: readonly {
        readonly column: string;
        readonly before: string;
        readonly after: string;
      }[];
    }[];
  }[];
}

/** Body of `/healthz`. */
export interface Health {
  readonly status: string;
  readonly network: string;
  readonly visible: { readonly first: number; readonly last: number } | null;
  readonly head: { readonly seqno: number; readonly utime: number } | null;
  readonly lag_seconds: number | null;
  readonly projections: Readonly<Record<string, ProjectionHealth>>;
  readonly dead_letters: number | null;
  /** Bytes on disk, and the versions that replays build or built; absent if the store was too slow. */
  readonly store_bytes?: number;
  readonly replays?: readonly Replay[];
  /** Beginning of the addresses of images that the page may load. */
  readonly images?: string;
  /** Path of the controls of a local chain. */
  readonly controls?: string;
}
