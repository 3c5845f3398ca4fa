import { blockIdExtText } from '../../src/capture/block-id.ts';
import { fromTlId, toTlId } from '../../src/capture/liteserver/tl-block-id.ts';
import type { SourceBlock, SourceState, Step } from '../../src/capture/source.ts';
import { LiteServerError } from '../../src/liteapi/lite-errors.ts';
import type { AnswerRequest } from '../../src/liteapi/lite-listener.ts';
import { encodeBoxed, type LiteRequest } from '../../src/liteapi/schema/codec.ts';
import type { LiteProofs } from './lite-proofs.ts';

/** Answers of a lite server for a chain of steps of which the first has the zerostates. */
export class LiteBlocks {
  /** Seqno of the newest masterchain block that the server has. */
  head: number;
  private readonly masterchain: ReadonlyMap<number, SourceBlock>;
  private readonly blocks = new Map<string, { readonly block: SourceBlock; readonly mcSeqno: number }>();
  private readonly states: readonly SourceState[];
  /** Messages that were sent to this server. */
  readonly messages: Uint8Array[] = [];
  private readonly proofs: LiteProofs | undefined;
  private waiting: (() => void)[] = [];

  /** `proofs`: absent for a server without `getBlockProof`. */
  constructor(steps: readonly Step[], proofs?: LiteProofs) {
    this.proofs = proofs;
    this.states = steps[0]?.states ?? [];
    const full = steps.filter(({ blocks }) => blocks.length > 0);
    this.masterchain = new Map(full.map(({ blocks, mcSeqno }) => [mcSeqno, blocks.at(-1) as SourceBlock]));
    for (const { blocks, mcSeqno } of full)
      for (const block of blocks) this.blocks.set(blockIdExtText(block.id), { block, mcSeqno });
    this.head = full.at(-1)?.mcSeqno ?? 0;
  }

  get zerostate(): SourceState {
    return this.states.find(({ id }) => id.workchain === -1) as SourceState;
  }

  /** Adds masterchain blocks that exist already, up to this one. */
  grow(head: number): void {
    this.head = head;
    for (const wake of this.waiting.splice(0)) wake();
  }

  readonly answer: AnswerRequest = async (request) => {
    const { wait } = request;
    if (wait && wait.seqno > this.head) {
      await Promise.race([this.grown(wait.seqno), sleepQuietly(wait.timeoutMs)]);
      if (wait.seqno > this.head) throw new LiteServerError(652, 'timeout');
    }
    return this.answerNow(request);
  };

  masterchainBlock(seqno: number): SourceBlock {
    const block = seqno <= this.head ? this.masterchain.get(seqno) : undefined;
    if (!block) throw new LiteServerError(651, `block (-1,8000000000000000,${seqno}) is not in db`);
    return block;
  }

  private answerNow({ name, parameters }: LiteRequest): Uint8Array {
    const init = this.zerostate.id;
    const zero = { workchain: -1, root_hash: init.rootHash, file_hash: init.fileHash };
    const last = () => toTlId(this.masterchainBlock(this.head).id);
    switch (name) {
      case 'getMasterchainInfo':
        return encodeBoxed('masterchainInfo', { last: last(), state_root_hash: init.rootHash, init: zero });
      case 'getMasterchainInfoExt':
        return encodeBoxed('masterchainInfoExt', {
          mode: 0,
          version: 0x101,
          capabilities: 7n,
          last: last(),
          last_utime: this.masterchainBlock(this.head).header.genUtime,
          now: Math.floor(Date.now() / 1000),
          state_root_hash: init.rootHash,
          init: zero,
        });
      case 'lookupBlock': {
        const { id } = this.masterchainBlock(parameters.id.seqno);
        return encodeBoxed('blockHeader', { id: toTlId(id), mode: 1, header_proof: new Uint8Array() });
      }
      case 'getBlock': {
        const found = this.blocks.get(blockIdExtText(fromTlId(parameters.id)));
        if (!found || found.mcSeqno > this.head) throw new LiteServerError(651, 'block is not in db');
        return encodeBoxed('blockData', { id: parameters.id, data: found.block.boc });
      }
      case 'getState': {
        const wanted = blockIdExtText(fromTlId(parameters.id));
        const state = this.states.find(({ id }) => blockIdExtText(id) === wanted);
        if (!state) throw new LiteServerError(651, 'state is not in db');
        const { rootHash, fileHash } = state.id;
        const hashes = { root_hash: rootHash, file_hash: fileHash };
        return encodeBoxed('blockState', { id: parameters.id, ...hashes, data: state.boc });
      }
      case 'sendMessage':
        this.messages.push(parameters.body);
        return encodeBoxed('sendMsgStatus', { status: 1 });
      case 'getBlockProof': {
        if (!this.proofs) throw new LiteServerError(0, 'no proofs here');
        const known = [...this.masterchain.values()].filter(({ id }) => id.seqno <= this.head);
        return encodeBoxed('partialBlockProof', this.proofs.answer(parameters, this.zerostate, known));
      }
      default:
        throw new LiteServerError(0, `no ${name} here`);
    }
  }

  private async grown(seqno: number): Promise<void> {
    while (seqno > this.head)
      await new Promise<void>((resolve) => {
        this.waiting.push(resolve);
      });
  }
}

function sleepQuietly(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
