import { openBlock } from '../../ton/decode/open-block.ts';
import { configOfKeyBlock, readConfiguredValidators } from '../../ton/proofs/configured-validators.ts';
import { ProofError } from '../../ton/proofs/proof-error.ts';
import { type BlockIdExt, blockIdText, sameBlock } from '../block-id.ts';
import type { SourceBlock } from '../source.ts';
import type { KnownKeyBlock } from './known-key-block.ts';
import { checkLinks, type LinkedTo, type ProvenBlock } from './proof-links.ts';
import type { ServerPool } from './server-pool.ts';
import { fromTlId, toTlId } from './tl-block-id.ts';
import type { Trust } from './trust.ts';

/** Rounds over all servers for one proof: a false block has none, a new block has one soon. */
const ROUNDS = 4;

/** Proves masterchain blocks by signatures of validators, from a trusted block on. */
export class SignatureTrust implements Trust {
  readonly level = 'signatures';
  private readonly pool: ServerPool;
  private readonly record: KnownKeyBlock;
  private known: ProvenBlock;

  constructor(pool: ServerPool, record: KnownKeyBlock) {
    this.pool = pool;
    this.record = record;
    this.known = { id: record.read(), validators: null };
  }

  get keyBlock(): number {
    return this.known.id.seqno;
  }

  /** @throws NoServerError; the reason of the signal */
  async prove(block: SourceBlock, signal: AbortSignal): Promise<void> {
    await this.reach(block.id, signal);
    if (block.header.keyBlock) this.renew({ id: block.id, validators: validatorsIn(block) });
  }

  /** @throws NoServerError; the reason of the signal */
  async reach(target: BlockIdExt, signal: AbortSignal): Promise<void> {
    let start = this.known;
    while (!sameBlock(start.id, target)) {
      const { reached, keyBlock } = await this.links(start, target, signal);
      if (keyBlock) this.renew({ id: keyBlock, validators: null });
      start = this.known.id.seqno === reached.seqno ? this.known : { id: reached, validators: null };
    }
  }

  /** One answer of a server: it may end before the target if many key blocks lie between. */
  private async links(start: ProvenBlock, target: BlockIdExt, signal: AbortSignal): Promise<LinkedTo> {
    const { value } = await this.pool.ask(
      'getBlockProof',
      { mode: 1, known_block: toTlId(start.id), target_block: toTlId(target) },
      {
        signal,
        what: `a proof of masterchain block ${blockIdText(target)}`,
        rounds: ROUNDS,
        check: (answer) => {
          const links = checkLinks(answer, start);
          if (!answer.complete && isCloser(links.reached, start.id, target)) return links;
          if (sameBlock(links.reached, target)) return links;
          const [expected, found] = [target, fromTlId(answer.to)].map(blockIdText);
          throw new ProofError('block links', `to ${expected}`, `to ${found}`);
        },
      },
    );
    return value;
  }

  /** Keeps a newer key block, in memory and in the data directory. */
  private renew(keyBlock: ProvenBlock): void {
    if (keyBlock.id.seqno < this.known.id.seqno) return;
    const isNew = keyBlock.id.seqno > this.known.id.seqno;
    if (isNew || keyBlock.validators) this.known = keyBlock;
    if (isNew) this.record.write(keyBlock.id);
  }
}

/** Partial proofs must come closer to their target, else a server could answer without an end. */
function isCloser(reached: BlockIdExt, from: BlockIdExt, target: BlockIdExt): boolean {
  return target.seqno > from.seqno && reached.seqno > from.seqno && reached.seqno < target.seqno;
}

function validatorsIn({ boc: bytes }: SourceBlock): ProvenBlock['validators'] {
  const { boc, extra } = openBlock(bytes);
  return readConfiguredValidators(boc, configOfKeyBlock(boc, extra.custom));
}
