import type { WholeRow } from '../../src/client/client.ts';
import type { Answer } from './request.ts';

export type Block = WholeRow<Answer<'/api/v3/blocks'>['blocks'][number]>;
export type Transaction = WholeRow<Answer<'/api/v3/transactions'>['transactions'][number]>;
export type Message = WholeRow<Answer<'/api/v3/messages'>['messages'][number]>;
export type Trace = Answer<'/api/v3/traces'>['traces'][number];
export type Action = WholeRow<Answer<'/api/v3/actions'>['actions'][number]>;
export type AddressBook = Answer<'/api/v3/traces'>['address_book'];
export type Metadata = Answer<'/api/v3/traces'>['metadata'];

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

/** Body of `/healthz`. */
export interface Health {
  readonly status: string;
  readonly network: string;
  readonly visible: { readonly first: number; readonly last: number } | null;
  readonly head: { readonly seqno: number; readonly utime: number } | null;
  readonly lag_seconds: number | null;
  readonly projections: Readonly<Record<string, ProjectionHealth>>;
  readonly dead_letters: number | null;
  /** Bytes on disk, and the versions that replays build; absent if the store was too slow. */
  readonly store_bytes?: number;
  readonly replays?: readonly {
    readonly projection: string;
    readonly version: number;
    readonly steps: number;
    readonly of: number;
  }[];
  /** Path of the controls of a local chain. */
  readonly controls?: string;
}
