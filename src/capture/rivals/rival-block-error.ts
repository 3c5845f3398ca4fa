import { DataError } from '../../platform/errors/error-kinds.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { type BlockIdExt, blockIdText } from '../block-id.ts';

/** A block and its origin. */
export interface Claim {
  readonly id: BlockIdExt;
  readonly origin: string;
}

/** Several blocks claim one id, and this is not the one that is taken. */
export class RivalBlockError extends DataError {
  readonly code = 'rival-block';
  /** `(wc,shard,seqno)` */
  readonly block: string;
  /** Why it is not taken. */
  readonly reason: string;

  constructor(claim: Claim, others: readonly Claim[], reason: string) {
    super(
      `block ${claimText(claim)} is not taken: its id is claimed by ${others.map(claimText).join(' and ')} too; ${reason}`,
    );
    this.block = blockIdText(claim.id);
    this.reason = reason;
  }
}

/** `(wc,shard,seqno) with root … file … in ORIGIN`, whole hashes. */
export function claimText({ id, origin }: Claim): string {
  return `${blockIdText(id)} with root ${toHex(id.rootHash)} file ${toHex(id.fileHash)} in ${origin}`;
}
