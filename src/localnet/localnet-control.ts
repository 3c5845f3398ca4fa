import { cellWith } from '../ton/cell/cell-builder.ts';
import { writeBag } from '../ton/cell/write-bag.ts';
import { type NewMessage, storeMessageRelaxed } from '../ton/messages/message-relaxed.ts';
import type { BlockToProve } from '../ton/proofs/check-signatures.ts';
import type { SignatureSet } from '../ton/proofs/signature-set.ts';
import type { AccountAddress } from '../ton/store/store-address.ts';
import type { ChainView } from './engine/chain-view.ts';
import type { AccountView, ContractInfo, EngineStatus } from './engine/engine.ts';
import type { EngineClient } from './engine/engine-client.ts';
import type { ImpersonationOutcome, NewAccountParts } from './engine/intervene.ts';
import type { InterventionOutcome, SendOutcome } from './engine/local-chain.ts';
import type { Pacer } from './engine/pacer.ts';
import { parseExternal } from './engine/parse-external.ts';
import { type AccountText, listAccounts } from './genesis/account-list.ts';
import { genesisWallets } from './genesis/genesis-wallets.ts';
import type { LateLoading } from './origin/late-loading.ts';
import type { PendingTracesView } from './pending/pending-traces.ts';
import type { ChainSnapshots } from './snapshots/chain-snapshots.ts';
import type { BlockSigner } from './validator/block-signer.ts';
import { secretKeyHex } from './wallets/key-pair.ts';
import type { Wallet } from './wallets/wallet.ts';
import type { WalletVersion } from './wallets/wallet-codes.ts';

/** A wallet for developers. */
export interface WalletInfo {
  readonly name: string;
  readonly version: WalletVersion;
  readonly address: AccountAddress;
  /** Hex. */
  readonly publicKey: string;
  /** Hex of 64 bytes: seed, then public key. */
  readonly secretKey: string;
}

/** Published facts of the network. */
export interface LocalnetInfo {
  readonly seed: string;
  readonly globalId: number;
  readonly faucet: WalletInfo;
  readonly wallets: readonly WalletInfo[];
  /** Example contracts of the genesis. */
  readonly contracts: readonly ContractInfo[];
}

/**
 * `mcSeqno`: a masterchain block whose state has the intervention. `hash`: of the external message of an impersonation;
 * null for another intervention.
 */
export type IntervenedOutcome =
  | { readonly ok: true; readonly mcSeqno: number; readonly hash: Uint8Array | null }
  | { readonly ok: false; readonly detail: string };

type ChainFacts = Pick<LocalnetInfo, 'seed' | 'globalId' | 'contracts'> & {
  readonly signer: BlockSigner;
  readonly late: LateLoading | null;
};

/** Controls of a running local chain. Calls before its steps are read are rejected. */
export class LocalnetControl {
  readonly info: LocalnetInfo;
  /** The wallets of `info` as text. */
  readonly accounts: readonly AccountText[];
  private readonly client: EngineClient;
  private readonly pacer: Pacer;
  private readonly signer: BlockSigner;
  private readonly late: LateLoading | null;
  private readonly resuming = Promise.withResolvers<void>();
  private stored: ChainSnapshots | null = null;
  private readonly mining: { blocks: number; resolve: (mcSeqno: number) => void }[] = [];

  constructor(client: EngineClient, pacer: Pacer, { seed, globalId, contracts, signer, late }: ChainFacts) {
    this.client = client;
    this.pacer = pacer;
    this.signer = signer;
    this.late = late;
    const { faucet, wallets } = genesisWallets(seed, globalId);
    this.accounts = listAccounts({ faucet, wallets });
    this.info = { seed, globalId, faucet: walletInfo(faucet), wallets: wallets.map(walletInfo), contracts };
  }

  /** Snapshots of the chain; null if its process cannot store it. */
  get snapshots(): ChainSnapshots | null {
    return this.stored;
  }

  /** Lets the chain be stored and reverted; called once its servers listen. */
  allowSnapshots(snapshots: ChainSnapshots): void {
    this.stored = snapshots;
  }

  /** Signatures of a masterchain block of the chain; null if the chain has no validator. */
  signatures(block: BlockToProve): SignatureSet | null {
    return this.signer.sign(block);
  }

  /** Proof in the state of a masterchain block that an earlier one is before it, as a bag; null if it is not kept. */
  proveOldBlock(mcSeqno: number, earlier: number): Promise<Uint8Array | null> {
    return this.client.call('proveOldBlock', mcSeqno, earlier);
  }

  /** True if accounts are loaded from the origin of a fork when they are named. */
  get hasOrigin(): boolean {
    return this.late !== null;
  }

  /**
   * Loads accounts from the origin of the fork that the chain does not have yet. Resolves to the newest masterchain block that
   * loaded one of them; 0 if none of this process did.
   * @throws OriginError, OriginLimitError
   */
  async touch(accounts: readonly AccountAddress[]): Promise<number> {
    return this.late ? this.late.touch(accounts, () => this.mine(1)) : 0;
  }

  /** Accepts an external message (a BoC) for the next block, if its account accepts it in the current state. */
  async send(boc: Uint8Array): Promise<SendOutcome> {
    const parsed = this.late && parseExternal(boc);
    if (parsed?.ok) await this.touch([parsed.dest]);
    return this.poked(await this.client.call('send', boc));
  }

  /** Sends nanotons from the faucet; the outcome's hash is the external message's. */
  async fund(to: AccountAddress, amount: bigint, comment = ''): Promise<SendOutcome> {
    return this.poked(await this.client.call('fund', to, amount, comment));
  }

  /** Makes masterchain steps at once. @returns seqno of the last one, when it was made */
  mine(blocks = 1): Promise<number> {
    return new Promise((resolve) => {
      this.mining.push({ blocks, resolve });
      this.pacer.demand(blocks);
    });
  }

  /** Lets time jump ahead, from the next block on. */
  async warp(seconds: number): Promise<void> {
    await this.client.call('warp', seconds);
    this.pacer.poke();
  }

  /** Sets how many transactions per second are generated, from the next block on. */
  async setTraffic(perSecond: number): Promise<void> {
    await this.client.call('setTraffic', perSecond);
    this.pacer.poke();
  }

  /** Changes a configuration parameter (null takes it out); the next masterchain block is a key block. */
  async changeConfig(param: number, boc: Uint8Array | null): Promise<void> {
    await this.client.call('changeConfig', param, boc);
    this.pacer.poke();
  }

  /** Sets parts of an account's state without a transaction of its owner. Resolves after the block that has it. */
  async setAccount(account: AccountAddress, parts: NewAccountParts): Promise<IntervenedOutcome> {
    await this.touch([account]);
    return this.intervened(await this.client.call('setAccount', account, parts));
  }

  /** Sends a message as an account without its key. Resolves after the block that has the account's transaction. */
  async impersonate(sender: AccountAddress, message: NewMessage): Promise<IntervenedOutcome> {
    const boc = writeBag(cellWith(storeMessageRelaxed, message));
    await this.touch([sender]);
    return this.intervened(await this.client.call('impersonate', sender, boc));
  }

  /** An account as the newest block left it. */
  async account(address: AccountAddress): Promise<AccountView> {
    await this.touch([address]);
    return this.client.call('account', address);
  }

  /** The chain after a masterchain block, the newest for null; null if that state is not kept. */
  async view(address: AccountAddress | null, mcSeqno: number | null): Promise<ChainView | null> {
    if (address) await this.touch([address]);
    return this.client.call('view', address, mcSeqno);
  }

  /** The states after a recent masterchain block as bags; empty if they are not kept. */
  states(mcSeqno: number): Promise<Uint8Array[]> {
    return this.client.call('states', mcSeqno);
  }

  /** Public libraries of the newest state as BoCs; null for unpublished ones. */
  libraries(hashes: readonly Uint8Array[]): Promise<(Uint8Array | null)[]> {
    return this.client.call('libraries', hashes);
  }

  /** Traces of sent messages that readers do not know yet; they know the masterchain blocks up to `served`. */
  pending(served: number): Promise<PendingTracesView> {
    return this.client.call('pending', served);
  }

  status(): Promise<EngineStatus> {
    return this.client.call('status');
  }

  /** Resolves when the chain continues from the last step in the log. */
  whenResumed(): Promise<void> {
    return this.resuming.promise;
  }

  /** Called once, before the first step. */
  resumed(): void {
    this.resuming.resolve();
  }

  /** Called after every step. */
  made(mcSeqno: number): void {
    for (const request of [...this.mining]) {
      if (--request.blocks > 0) continue;
      this.mining.splice(this.mining.indexOf(request), 1);
      request.resolve(mcSeqno);
    }
  }

  /** Makes blocks until one has the intervention: while shards are split, interventions wait. */
  private async intervened(outcome: InterventionOutcome | ImpersonationOutcome): Promise<IntervenedOutcome> {
    if (!outcome.ok) return outcome;
    const hash = 'hash' in outcome ? outcome.hash : null;
    for (;;) {
      const mcSeqno = await this.mine(1);
      const { intervened } = await this.status();
      if (intervened >= outcome.number) return { ok: true, mcSeqno, hash };
    }
  }

  private poked(outcome: SendOutcome): SendOutcome {
    if (outcome.ok) this.pacer.poke();
    return outcome;
  }
}

function walletInfo({ name, version, address, key }: Wallet): WalletInfo {
  return { name, version, address, publicKey: key.publicKey.toHex(), secretKey: secretKeyHex(key) };
}
