/** A stretch of masterchain steps, or parts of the accounts: `count` of them (default 1) from `accounts` on. */
export type ProvenPart =
  | { readonly steps: { readonly first: number; readonly last: number } }
  | { readonly accounts: number; readonly count?: number };

/** How far the proof of a projection's served version is. Times are Unix times in milliseconds. */
export interface ProjectionProof {
  readonly projection: string;
  readonly database: string;
  readonly visible: { readonly first: number; readonly last: number };
  readonly unprovenSteps: number;
  /** Parts that the accounts are looked at in; 0: no check is by account. */
  readonly accountParts: number;
  readonly state: {
    readonly began: number;
    readonly ended: number | null;
    readonly endedBefore: number | null;
    readonly proven: readonly { readonly first: number; readonly last: number }[];
    readonly accounts: number;
    readonly last: {
      readonly part: ProvenPart;
      readonly at: number;
      readonly checks: number;
      readonly problems: number;
    } | null;
    readonly findings: readonly {
      readonly part: ProvenPart;
      readonly at: number;
      readonly check: string;
      readonly problems: number;
      readonly samples: readonly string[];
    }[];
  };
}

/** Known integrity of the store; reading it costs no statement. */
export interface IntegrityPort {
  proofs(): readonly ProjectionProof[];
  /** The server put parts aside, or rows that were written last before it started are missing. */
  isStoreDamaged(): boolean;
}
