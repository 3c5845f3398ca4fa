import { LoadedFacts } from '../../src/projections/actions/model/contract-facts.ts';
import type {
  AccountStatus,
  Trace,
  TraceMessage,
  TraceTransaction,
} from '../../src/projections/actions/model/trace.ts';
import type { AccountFacts } from '../../src/ton/contracts/account-facts.ts';

/** A field that a message may not have. */
type Optional<T> = T | null | undefined;

/**
 * A message of a recorded trace (`trace-fixture-json/1`, ../shared/data/README.md); only what the classifier reads. A field
 * that is left out counts as null.
 */
interface RecordedMessage {
  readonly msg_hash: string;
  readonly source?: Optional<string>;
  readonly destination?: Optional<string>;
  readonly value?: Optional<string>;
  readonly created_lt?: Optional<string>;
  readonly created_at?: Optional<number>;
  /** Signed. */
  readonly opcode?: Optional<number>;
  /** The bits of `opcode`, derived from them if absent. */
  readonly opcode_hex?: Optional<string>;
  readonly bounce?: Optional<boolean>;
  readonly value_extra_currencies?: Optional<Readonly<Record<string, string>>>;
  readonly body_boc_base64?: Optional<string>;
  readonly init_state_boc_base64?: Optional<string>;
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
  readonly compute_exit_code?: Optional<number>;
  readonly skipped_reason?: Optional<TraceTransaction['skipReason']>;
  readonly in_msg?: Optional<RecordedMessage>;
  readonly out_msgs?: Optional<readonly RecordedMessage[]>;
}

interface RecordedAsset {
  readonly is_ton: boolean;
  readonly address: string | null;
}

/** Facts of one account that the indexer which recorded the trace knew. */
interface RecordedAccount {
  readonly JettonWallet?: { readonly owner: string; readonly jetton: string };
  readonly NftItem?: {
    readonly index: string;
    readonly collection_address?: Optional<string>;
    readonly owner_address?: Optional<string>;
    readonly content?: { readonly uri?: string } | null;
    readonly code_hash?: string;
  };
  readonly NftSale?: RecordedSale & { readonly full_price?: Optional<string> };
  readonly NftAuction?: RecordedSale & { readonly last_bid?: Optional<string> };
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
  /** Without it the trace is named by its first transaction. */
  readonly trace?: Optional<{ readonly trace_id?: Optional<string> }>;
  readonly transactions: readonly RecordedTransaction[];
  readonly interfaces?: Optional<Readonly<Record<string, Optional<RecordedAccount>>>>;
}

const NOMINATOR_POOL_CODE = 'mj7BS8CY9rRAZMMFIiyuooAPF92oXuaoGYpwle3hDc8=';

function parseBytes(text: Optional<string>): Uint8Array | null {
  return typeof text === 'string' ? Buffer.from(text, 'base64') : null;
}

const parseAmount = (text: Optional<string>): bigint | null =>
  text === null || text === undefined ? null : BigInt(text);

function getOpcode({ opcode, opcode_hex: hex }: RecordedMessage): number | null {
  if (typeof opcode === 'number') return opcode >>> 0;
  return typeof hex === 'string' ? Number(BigInt(hex)) : null;
}

function toMessage(message: RecordedMessage): TraceMessage {
  return {
    hash: message.msg_hash,
    source: message.source ?? null,
    destination: message.destination ?? null,
    value: parseAmount(message.value),
    extraCurrencies: message.value_extra_currencies ?? {},
    createdLt: parseAmount(message.created_lt),
    createdAt: message.created_at ?? null,
    opcode: getOpcode(message),
    bounce: message.bounce ?? null,
    body: parseBytes(message.body_boc_base64),
    stateInit: parseBytes(message.init_state_boc_base64),
  };
}

/** The trace as the classifier takes it: fresh objects at each call. */
export function toTrace({ trace, transactions }: RecordedTrace): Trace {
  return {
    traceId: trace?.trace_id ?? transactions[0]!.hash,
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
      exitCode: one.compute_exit_code ?? null,
      inMessage: one.in_msg ? toMessage(one.in_msg) : null,
      outMessages: (one.out_msgs ?? []).map(toMessage),
    })),
  };
}

function toSale(sale: RecordedSale) {
  return {
    nft: (sale.nft_addr ?? sale.nft_address) as string,
    nftOwner: sale.nft_owner ?? sale.nft_owner_address ?? null,
    marketplace: sale.mp_addr ?? sale.marketplace ?? sale.marketplace_address ?? null,
    codeHash: sale.code_hash ?? null,
  };
}

function nftFacts(account: RecordedAccount): AccountFacts {
  const { NftItem: item, NftSale: sale, NftAuction: auction } = account;
  return {
    ...(item && {
      nftItem: {
        index: BigInt(item.index),
        collection: item.collection_address ?? null,
        owner: item.owner_address ?? null,
        contentUri: item.content?.uri ?? null,
        codeHash: item.code_hash ?? null,
      },
    }),
    ...(sale && { nftSale: { ...toSale(sale), fullPrice: parseAmount(sale.full_price) } }),
    ...(auction && { nftAuction: { ...toSale(auction), lastBid: parseAmount(auction.last_bid) } }),
  };
}

function toAccount(account: RecordedAccount): AccountFacts {
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
export function toFacts({ interfaces }: Pick<RecordedTrace, 'interfaces'>): LoadedFacts {
  const facts = new LoadedFacts();
  for (const [address, account] of Object.entries(interfaces ?? {}))
    facts.add(address.toUpperCase(), toAccount(account ?? {}));
  return facts;
}
