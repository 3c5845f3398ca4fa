import { type BlockIdExt, sameBlock } from '../../src/capture/block-id.ts';
import { fromTlId, toTlId } from '../../src/capture/liteserver/tl-block-id.ts';
import type { SourceBlock, SourceState } from '../../src/capture/source.ts';
import { LiteServerError } from '../../src/liteapi/lite-errors.ts';
import type { TlBoxed, TlValue } from '../../src/liteapi/schema/values.ts';
import { BlockSigner, type SignatureForm } from '../../src/localnet/validator/block-signer.ts';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { applyUpdate } from '../../src/ton/cell/apply-update.ts';
import type { Cell } from '../../src/ton/cell/cell.ts';
import { CellsOfBag, readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { openBlock } from '../../src/ton/decode/open-block.ts';
import { makeProof } from '../../src/ton/proofs/make-proof.ts';
import type { SignatureSet } from '../../src/ton/proofs/signature-set.ts';
import { visitHeader, visitMcExtra } from '../../src/ton/proofs/visit-block.ts';
import { visitConfig, visitExtra, visitOldBlock } from '../../src/ton/proofs/visit-state.ts';
import { Visits } from '../../src/ton/proofs/visits.ts';

/** Changes a signature set before it is sent. */
export type Forge = (set: SignatureSet, block: BlockIdExt) => SignatureSet;

export interface ProofOptions {
  /** Seed of the chain: its validator's key follows from it. */
  readonly seed: string;
  readonly form: SignatureForm;
  readonly forge?: Forge;
  /** The links leave key blocks out: validators of the past vouch for everything. */
  readonly skipsKeyBlocks?: boolean;
}

/** Answers `getBlockProof` forward from the zerostate or a key block of a generated chain. */
export class LiteProofs {
  private readonly signer: BlockSigner;
  private readonly options: ProofOptions;

  constructor(options: ProofOptions) {
    this.options = options;
    this.signer = new BlockSigner(options.seed, options.form);
  }

  answer(
    { known_block, target_block }: { readonly known_block: Id; readonly target_block?: Id },
    zerostate: SourceState,
    masterchain: readonly SourceBlock[],
  ): TlValue<'partialBlockProof'> {
    const known = fromTlId(known_block);
    const at = (id: BlockIdExt) => masterchain.find((block) => sameBlock(block.id, id));
    const target = target_block ? at(fromTlId(target_block)) : masterchain.at(-1);
    if (!target) throw new LiteServerError(651, 'block is not in db');
    let from: SourceBlock | SourceState | undefined = known.seqno === 0 ? zerostate : at(known);
    if (!from) throw new LiteServerError(651, 'known block is not in db');
    const between = masterchain.filter(
      ({ id, header }) => header.keyBlock && id.seqno > known.seqno && id.seqno < target.id.seqno,
    );
    if (target.id.seqno < known.seqno) {
      const step = backLink(from, target, stateAfter(zerostate, masterchain, known.seqno));
      return { complete: true, from: known_block, to: toTlId(target.id), steps: [step] };
    }
    const steps: TlBoxed<'blockLinkForward'>[] = [];
    for (const to of [...(this.options.skipsKeyBlocks ? [] : between), target]) {
      steps.push(this.link(from, to));
      from = to;
    }
    return { complete: true, from: known_block, to: toTlId(target.id), steps };
  }

  private link(from: SourceBlock | SourceState, to: SourceBlock): TlBoxed<'blockLinkForward'> {
    const { info } = openBlock(to.boc);
    const { genValidatorListHashShort, genCatchainSeqno } = info;
    const signed = this.signer.sign({ ...to.id, genValidatorListHashShort, genCatchainSeqno });
    const set = this.options.forge?.(signed as SignatureSet, to.id) ?? (signed as SignatureSet);
    return {
      type: 'blockLinkForward',
      value: {
        to_key_block: to.header.keyBlock,
        from: toTlId(from.id),
        to: toTlId(to.id),
        dest_proof: proofOf(to.boc, (visits, root) => void visitHeader(visits, root)),
        config_proof: proofOf(from.boc, (visits, root) => {
          const isState = from.id.seqno === 0;
          const config = isState
            ? visitExtra(visits, root).config
            : (visitMcExtra(visits, visitHeader(visits, root).extra).config as Cell);
          visitConfig(visits, config, [28, 34, 35]);
        }),
        signatures: toTlSet(set),
      },
    };
  }
}

/** The state of the masterchain after a block. */
function stateAfter(zerostate: SourceState, masterchain: readonly SourceBlock[], seqno: number): Cell {
  let state = readCell(zerostate.boc);
  for (const { id, boc } of masterchain)
    if (id.seqno <= seqno) state = applyUpdate(state, readCell(boc).refs[2] as Cell);
  return state;
}

function backLink(from: SourceBlock | SourceState, to: SourceBlock, state: Cell): TlBoxed<'blockLinkBack'> {
  const header = (boc: Uint8Array) => proofOf(boc, (visits, root) => void visitHeader(visits, root));
  const visits = new Visits();
  visitOldBlock(visits, visitExtra(visits, state).history, to.id.seqno);
  return {
    type: 'blockLinkBack',
    value: {
      to_key_block: to.header.keyBlock,
      from: toTlId(from.id),
      to: toTlId(to.id),
      dest_proof: header(to.boc),
      proof: header(from.boc),
      state_proof: writeBag(makeProof(state, visits)),
    },
  };
}

type Id = TlValue<'blockIdExt'>;

function proofOf(bytes: Uint8Array, visit: (visits: Visits, root: Cell) => void): Uint8Array {
  const boc = parseBoc(bytes);
  const root = new CellsOfBag(boc).cell(onlyRoot(boc));
  const visits = new Visits();
  visit(visits, root);
  return writeBag(makeProof(root, visits));
}

function toTlSet(set: SignatureSet): TlBoxed<'signatureSet.ordinary' | 'signatureSet.simplex'> {
  const signatures = set.signatures.map(({ nodeId, signature }) => ({ node_id_short: nodeId, signature }));
  const validator_set_hash = set.listHash | 0;
  if (set.kind === 'ordinary')
    return {
      type: 'signatureSet.ordinary',
      value: { validator_set_hash, catchain_seqno: set.catchainSeqno, signatures },
    };
  const { sessionId: session_id, slot, candidate } = set;
  const value = { cc_seqno: set.catchainSeqno, validator_set_hash, signatures, session_id, slot, candidate };
  return { type: 'signatureSet.simplex', value };
}
