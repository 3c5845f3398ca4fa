import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import type { SourceBlock } from '../source.ts';
import { Evidence } from './evidence.ts';
import type { Claim, RivalBlockError } from './rival-block-error.ts';
import { settleRivals } from './settle-rivals.ts';

/** A block that is not taken, and why. */
export interface Refused<C extends Claim> {
  readonly claim: C;
  /** The block that was accepted instead; null if nothing shows which one is right. */
  readonly winner: C | null;
  readonly error: RivalBlockError;
}

/** The blocks of a source by id. Exact copies count once; several blocks under one id are rivals. */
export class ClaimedBlocks<C extends Claim> {
  private readonly first = new Map<string, C>();
  /** Every block of an id that several claim. */
  private readonly rivals = new Map<string, C[]>();
  duplicates = 0;

  add(claim: C): void {
    const key = blockIdText(claim.id);
    const known = this.first.get(key);
    if (!known) {
      this.first.set(key, claim);
      return;
    }
    const claims = this.rivals.get(key) ?? [known];
    if (claims.some(({ id }) => sameBlock(id, claim.id))) this.duplicates++;
    else this.rivals.set(key, [...claims, claim]);
  }

  /**
   * Decides ids that several blocks claim: accepted blocks stay. If there is such an id, every block is read once more.
   *
   * @returns the refused blocks; all blocks of an id if nothing shows which one is right
   */
  async settle(read: (claim: C) => Promise<SourceBlock>): Promise<readonly Refused<C>[]> {
    if (this.rivals.size === 0) return [];
    const isContested = (key: string) => this.rivals.has(key);
    const evidence = await Evidence.gather(readAll(this.all(), read), isContested);
    const known = (key: string): BlockIdExt | null => this.first.get(key)?.id ?? null;
    const refused: Refused<C>[] = [];
    for (const [key, settlement] of settleRivals(this.rivals, evidence, known)) {
      const claims = this.rivals.get(key)!;
      const winner = claims.find((claim) => claim === settlement.winner) ?? null;
      if (winner) this.first.set(key, winner);
      else this.first.delete(key);
      for (const { claim, error } of settlement.refused)
        refused.push({ claim: claims.find((one) => one === claim)!, winner, error });
    }
    this.rivals.clear();
    return refused;
  }

  /** The blocks that are taken; before `settle`, the first of each id. */
  taken(): Iterable<C> {
    return this.first.values();
  }

  private *all(): Iterable<C> {
    for (const [key, claim] of this.first) yield* this.rivals.get(key) ?? [claim];
  }
}

async function* readAll<C extends Claim>(
  claims: Iterable<C>,
  read: (claim: C) => Promise<SourceBlock>,
): AsyncGenerator<SourceBlock> {
  for (const claim of claims) yield await read(claim);
}
