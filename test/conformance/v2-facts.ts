/** Facts of a set of blocks in facts.json, limited to v2's: hashes hex, amounts and lt decimal. */

export interface TransactionFacts {
  readonly hash: string;
  readonly account: string;
  readonly lt: string;
  readonly total_fees: string;
  readonly now: number;
  readonly storage?: { readonly fees_collected: string };
  readonly in_msg?: MessageFacts;
  readonly out_msgs: readonly MessageFacts[];
}

export interface MessageFacts {
  readonly hash: string;
  readonly type: string;
  readonly src?: string;
  readonly dst?: string;
  readonly created_lt?: string;
  readonly fwd_fee?: string;
  readonly body_hash: string;
}

export interface BlockFacts {
  readonly workchain: number;
  readonly shard: string;
  readonly seqno: number;
  readonly root_hash: string;
  readonly file_hash: string;
  readonly gen_utime: number;
  readonly start_lt: string;
  readonly end_lt: string;
  readonly after_split: boolean;
  readonly validator_list_hash_short: number;
  readonly prev_refs: readonly {
    readonly seqno: number;
    readonly root_hash: string;
    readonly file_hash: string;
  }[];
  readonly state_hash_after: string;
  readonly shards?: readonly { readonly workchain: number; readonly shard: string; readonly seqno: number }[];
  readonly transactions: readonly TransactionFacts[];
}

export const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
export const signed = (shard: string) => BigInt.asIntN(64, BigInt(`0x${shard}`)).toString();
export const byAccountAndLt = (a: TransactionFacts, b: TransactionFacts) =>
  a.account < b.account ? -1 : a.account > b.account ? 1 : Number(BigInt(a.lt) - BigInt(b.lt));
