import type { AccountFacts } from '../../src/projections/actions/model/contract-facts.ts';
import { LoadedFacts } from '../../src/projections/actions/model/contract-facts.ts';
import type {
  AccountStatus,
  Trace,
  TraceMessage,
  TraceTransaction,
} from '../../src/projections/actions/model/trace.ts';

/** A message of a recorded trace (`trace-fixture-json/1`, ../shared/data/README.md); only what the classifier reads. */
interface RecordedMessage {
  readonly msg_hash: string;
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly created_lt: string | null;
  readonly created_at: number | null;
  /** Signed. */
  readonly opcode: number | null;
  readonly bounce: boolean | null;
  readonly value_extra_currencies: Readonly<Record<string, string>> | null;
  readonly body_boc_base64: string | null;
  readonly init_state_boc_base64: string | null;
}

interface RecordedTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly mc_block_seqno: number;
  readonly aborted: boolean;
  readonly descr: string;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly compute_exit_code: number | null;
  readonly skipped_reason?: TraceTransaction['skipReason'];
  readonly in_msg: RecordedMessage | null;
  readonly out_msgs: readonly RecordedMessage[];
}

interface RecordedAsset {
  readonly is_ton: boolean;
  readonly address: string | null;
}

/** What the indexer that recorded the trace knew of one account. */
interface RecordedAccount {
  readonly JettonWallet?: { readonly owner: string; readonly jetton: string };
  readonly NftItem?: {
    readonly index: string;
    readonly collection_address: string | null;
    readonly owner_address: string | null;
    readonly content?: { readonly uri?: string } | null;
    readonly code_hash?: string;
  };
  readonly NftSale?: RecordedSale & { readonly full_price: string | null };
  readonly NftAuction?: RecordedSale & { readonly last_bid: string | null };
  readonly MultisigOrder?: { readonly signers: readonly string[] };
  readonly DedustPool?: { readonly assets: readonly [RecordedAsset, RecordedAsset] };
  readonly NominatorPool?: unknown;
  readonly code_hash?: string;
  readonly data_boc?: { readonly data_boc?: string | null; readonly lock_wallet_address?: string } | string;
}

interface RecordedSale {
  readonly nft_addr?: string;
  readonly nft_address?: string;
  readonly nft_owner?: string | null;
  readonly nft_owner_address?: string | null;
  readonly mp_addr?: string | null;
  readonly marketplace?: string | null;
  readonly marketplace_address?: string | null;
  readonly code_hash?: string;
}

/** A recorded trace with the facts that belong to it. */
export interface RecordedTrace {
  readonly trace: { readonly trace_id: string };
  readonly transactions: readonly RecordedTransaction[];
  readonly interfaces: Readonly<Record<string, RecordedAccount>>;
}

const NOMINATOR_POOL_CODE = 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=';

function bytesOf(text: string | null): Uint8Array | null {
  return text === null ? null : Buffer.from(text, 'base64');
}

function messageOf(message: RecordedMessage): TraceMessage {
  const { opcode } = message;
  return {
    hash: message.msg_hash,
    source: message.source,
    destination: message.destination,
    value: message.value === null ? null : BigInt(message.value),
    extraCurrencies: message.value_extra_currencies ?? {},
    createdLt: message.created_lt === null ? null : BigInt(message.created_lt),
    createdAt: message.created_at,
    opcode: opcode === null ? null : opcode >>> 0,
    bounce: message.bounce,
    body: bytesOf(message.body_boc_base64),
    stateInit: bytesOf(message.init_state_boc_base64),
  };
}

/** The trace as the classifier takes it: fresh objects at each call. */
export function traceOf({ trace, transactions }: RecordedTrace): Trace {
  return {
    traceId: trace.trace_id,
    transactions: transactions.map((one) => ({
      hash: one.hash,
      account: one.account,
      lt: BigInt(one.lt),
      now: one.now,
      mcSeqno: one.mc_block_seqno,
      aborted: one.aborted,
      originalStatus: one.orig_status,
      endStatus: one.end_status,
      isTickTock: one.descr === 'tick_tock',
      skipReason: one.skipped_reason ?? null,
      exitCode: one.compute_exit_code,
      inMessage: one.in_msg && messageOf(one.in_msg),
      outMessages: one.out_msgs.map(messageOf),
    })),
  };
}

function saleOf(sale: RecordedSale) {
  return {
    nft: (sale.nft_addr ?? sale.nft_address) as string,
    nftOwner: sale.nft_owner ?? sale.nft_owner_address ?? null,
    marketplace: sale.mp_addr ?? sale.marketplace ?? sale.marketplace_address ?? null,
    codeHash: sale.code_hash ?? null,
  };
}

const amountOf = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

function nftFacts(account: RecordedAccount): AccountFacts {
  const { NftItem: item, NftSale: sale, NftAuction: auction } = account;
  return {
    ...(item && {
      nftItem: {
        index: BigInt(item.index),
        collection: item.collection_address,
        owner: item.owner_address,
        contentUri: item.content?.uri ?? null,
        codeHash: item.code_hash ?? null,
      },
    }),
    ...(sale && { nftSale: { ...saleOf(sale), fullPrice: amountOf(sale.full_price) } }),
    ...(auction && { nftAuction: { ...saleOf(auction), lastBid: amountOf(auction.last_bid) } }),
  };
}

function accountOf(account: RecordedAccount): AccountFacts {
  const { JettonWallet: wallet, DedustPool: pool, MultisigOrder: order, data_boc: recorded } = account;
  const data = typeof recorded === 'string' ? recorded : (recorded?.data_boc ?? null);
  const lockWallet = typeof recorded === 'object' ? recorded.lock_wallet_address : undefined;
  const codeHash = account.NominatorPool ? NOMINATOR_POOL_CODE : account.code_hash;
  return {
    ...nftFacts(account),
    ...(wallet && { jettonWallet: { owner: wallet.owner, jetton: wallet.jetton } }),
    ...(pool && { pool: { assets: [pool.assets[0].address, pool.assets[1].address] as const } }),
    ...(order && { multisigOrder: { signers: order.signers } }),
    ...(codeHash && { codeHash }),
    ...(data && { data: Buffer.from(data, 'base64') }),
    ...(lockWallet && { lockWallet }),
  };
}

/** Facts that the recording came with; every other account counts as looked up and unknown. */
export function factsOf({ interfaces }: RecordedTrace): LoadedFacts {
  const facts = new LoadedFacts();
  for (const [address, account] of Object.entries(interfaces)) facts.add(address, accountOf(account));
  return facts;
}
