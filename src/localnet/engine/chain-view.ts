import { writeBag } from '../../ton/cell/write-bag.ts';
import { makeProof } from '../../ton/proofs/make-proof.ts';
import { visitExtra, visitOldBlock } from '../../ton/proofs/visit-state.ts';
import { Visits } from '../../ton/proofs/visits.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { encodePrevBlocks } from '../../tvm/prev-blocks.ts';
import { keyBlock, visibleBlocks } from '../collate/step-context.ts';
import { shardAccountText } from '../ledger/account-entry.ts';
import { type ChainState, lastKeySeqno } from '../ledger/chain-state.ts';
import { librariesText } from '../ledger/libraries.ts';
import { contains } from '../ledger/routing.ts';

/** View of contracts of the chain after a masterchain block, and one account of it. BoCs in base64. */
export interface ChainView {
  readonly block: { readonly seqno: number; readonly rootHash: Uint8Array; readonly fileHash: Uint8Array };
  readonly utime: number;
  /** Dictionary of configuration parameters. */
  readonly config: string;
  /** The masterchain block that `config` came with; 0: the zerostate. */
  readonly keySeqno: number;
  /** `HashmapE 256 ^Cell` root of public libraries; null for none. */
  readonly libraries: string | null;
  /** As `encodePrevBlocks` gives it. */
  readonly prevBlocks: string;
  /** ShardAccount; null if there is no account, or none was requested. */
  readonly shardAccount: string | null;
}

type Surroundings = Omit<ChainView, 'shardAccount'>;

/** The same for all accounts of a state: made once. */
const known = new WeakMap<ChainState, Surroundings>();

/** The chain as a state has it. */
export function viewChain(chain: ChainState, address: AccountAddress | null): ChainView {
  let view = known.get(chain);
  if (!view) {
    view = surroundings(chain);
    known.set(chain, view);
  }
  const ledger =
    address && [chain.masterchain, ...chain.shards].find(({ ident }) => contains(ident, address));
  const entry = ledger ? ledger.accounts.get(address.address) : undefined;
  return { ...view, shardAccount: entry ? shardAccountText(entry) : null };
}

/** A public library's cell as a BoC. */
export function findLibrary({ masterchain }: ChainState, hash: Uint8Array): Uint8Array | null {
  const entry = masterchain.libraries.get(hash);
  return entry ? writeBag(entry.library, { index: false }) : null;
}

/** Proof in the masterchain's state that an earlier masterchain block is before it, as a BoC; null if it is not. */
export function proveOldBlock({ masterchain }: ChainState, seqno: number): Uint8Array | null {
  const visits = new Visits();
  const found = visitOldBlock(visits, visitExtra(visits, masterchain.state).history, seqno);
  return found && writeBag(makeProof(masterchain.state, visits), { index: false });
}

function surroundings(chain: ChainState): Surroundings {
  const { block, utime, libraries } = chain.masterchain;
  const { seqno, rootHash, fileHash } = block;
  return {
    // Copies: a part of a larger buffer takes all of it along to another thread.
    block: { seqno, rootHash: rootHash.slice(), fileHash: fileHash.slice() },
    utime,
    config: chain.extra.config.text,
    keySeqno: lastKeySeqno(chain),
    libraries: librariesText(libraries),
    prevBlocks: encodePrevBlocks({ last: visibleBlocks(chain), key: keyBlock(chain) }),
  };
}

/** The last few states of the chain: readers of the log are always slightly behind. */
export class RecentChains {
  private readonly limit: number;
  private readonly states = new Map<number, ChainState>();

  constructor(limit: number) {
    this.limit = limit;
  }

  add(chain: ChainState): void {
    this.states.set(chain.masterchain.block.seqno, chain);
    if (this.states.size <= this.limit) return;
    const [oldest] = this.states.keys();
    this.states.delete(oldest!);
  }

  at(mcSeqno: number): ChainState | null {
    return this.states.get(mcSeqno) ?? null;
  }
}
