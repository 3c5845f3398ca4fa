import { DataError } from '../../platform/errors/error-kinds.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { type BlockId, type BlockIdExt, blockIdExtText, blockIdText } from '../block-id.ts';

/** A block that the chain names is not there. */
export class MissingBlockError extends DataError {
  readonly id: BlockIdExt;
  /** The referring block and its origin. */
  readonly referencedBy: string;

  constructor(id: BlockIdExt, referencedBy: string, note?: string) {
    super(
      `block ${blockIdExtText(id)} is missing; it is named by ${referencedBy}${note ? ` (${note})` : ''}`,
    );
    this.id = id;
    this.referencedBy = referencedBy;
  }
}

/** Another block is at the position of a known one: same workchain, shard and seqno, other hashes. */
export class ChangedBlockError extends DataError {
  readonly id: BlockId;
  readonly expected: string;
  readonly found: string;

  constructor(expected: BlockIdExt, expectedBy: string, found: BlockIdExt, foundIn: string) {
    super(
      `block ${blockIdText(found)} is changed: root ${toHex(expected.rootHash)} file ${toHex(expected.fileHash)} by ` +
        `${expectedBy}, root ${toHex(found.rootHash)} file ${toHex(found.fileHash)} in ${foundIn}`,
    );
    this.id = found;
    this.expected = blockIdExtText(expected);
    this.found = blockIdExtText(found);
  }
}

/** A block is not of this chain: another network's, or of a fork. */
export class ForeignBlockError extends DataError {
  /** The block, or the name of a whole source. */
  readonly block: string;
  readonly fact: string;
  readonly expected: string;
  readonly found: string;

  constructor(block: string, fact: string, expected: string, found: string) {
    super(`${block} is of another chain: ${fact} should be ${expected}, found ${found}`);
    this.block = block;
    this.fact = fact;
    this.expected = expected;
    this.found = found;
  }
}

/** Masterchain blocks are missing between what is there. */
export class ChainGapError extends DataError {
  /** The first masterchain seqno that is not there. */
  readonly missing: number;
  /** The next one that is. */
  readonly next: number;

  constructor(missing: number, next: number, where: string) {
    super(`masterchain block ${missing} is missing; the next one found is ${next} (${where})`);
    this.missing = missing;
    this.next = next;
  }
}
