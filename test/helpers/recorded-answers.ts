import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  AccountStatus,
  Trace,
  TraceMessage,
  TraceTransaction,
} from '../../src/projections/actions/model/trace.ts';
import type { AccountFacts } from '../../src/ton/contracts/account-facts.ts';

interface AnsweredMessage {
  readonly hash: string;
  readonly source: string | null;
  readonly destination: string | null;
  readonly value: string | null;
  readonly value_extra_currencies?: Record<string, string> | null;
  readonly created_lt: string | null;
  readonly created_at: string | null;
  readonly opcode: string | number | null;
  readonly bounce: boolean | null;
  readonly message_content: { readonly body: string } | null;
  readonly init_state?: { readonly body: string } | null;
}

interface AnsweredTransaction {
  readonly hash: string;
  readonly account: string;
  readonly lt: string;
  readonly now: number;
  readonly mc_block_seqno: number;
  readonly orig_status: AccountStatus;
  readonly end_status: AccountStatus;
  readonly description: {
    readonly type: string;
    readonly aborted: boolean;
    readonly compute_ph?: {
      readonly skipped: boolean;
      readonly reason?: TraceTransaction['skipReason'];
      readonly exit_code?: number;
    };
  };
  readonly in_msg: AnsweredMessage | null;
  readonly out_msgs: readonly AnsweredMessage[];
}

type Details = Readonly<Record<string, unknown>>;

/** An action as a server answered it. */
export interface AnsweredAction {
  readonly action_id: string;
  readonly type: string;
  readonly success: boolean;
  readonly start_lt: string;
  readonly end_lt: string;
  readonly start_utime: number;
  readonly end_utime: number;
  readonly transactions: readonly string[];
  readonly accounts?: readonly string[];
  readonly details: Details;
}

interface TokenInfo {
  readonly type: string;
  readonly nft_index?: string;
  readonly extra?: { readonly jetton?: string; readonly owner?: string; readonly uri?: string };
}

interface AnsweredTrace {
  readonly trace_id?: string | null;
  readonly transactions: Readonly<Record<string, AnsweredTransaction>>;
  readonly actions?: readonly AnsweredAction[] | null;
}

interface Answer extends AnsweredTrace {
  readonly traces?: readonly AnsweredTrace[];
  readonly trace?: unknown;
  readonly metadata?: Readonly<Record<string, { readonly token_info?: readonly TokenInfo[] }>>;
}

/** A recorded trace with a server's actions, and the contract facts in its answer. */
export interface RecordedAnswer {
  /** File, from the folder of recordings. */
  readonly file: string;
  readonly trace: Trace;
  readonly actions: readonly AnsweredAction[];
  readonly facts: ReadonlyMap<string, AccountFacts>;
}

const bytesOf = (text: string | null | undefined): Uint8Array | null =>
  typeof text === 'string' ? Buffer.from(text, 'base64') : null;

function messageOf(message: AnsweredMessage): TraceMessage {
  const isExternal = message.source === null;
  return {
    hash: message.hash,
    source: message.source,
    destination: message.destination,
    value: message.value === null ? null : BigInt(message.value),
    extraCurrencies: message.value_extra_currencies ?? {},
    createdLt: isExternal || message.created_lt === null ? null : BigInt(message.created_lt),
    createdAt: isExternal || message.created_at === null ? null : Number(message.created_at),
    opcode: message.opcode === null ? null : Number(message.opcode) >>> 0,
    bounce: message.bounce,
    body: bytesOf(message.message_content?.body),
    stateInit: bytesOf(message.init_state?.body),
  };
}

function transactionOf(one: AnsweredTransaction): TraceTransaction {
  const compute = one.description.compute_ph;
  return {
    hash: one.hash,
    account: one.account,
    lt: BigInt(one.lt),
    now: one.now,
    mcSeqno: one.mc_block_seqno,
    aborted: one.description.aborted,
    originalStatus: one.orig_status,
    endStatus: one.end_status,
    isTickTock: one.description.type === 'tick_tock',
    skipReason: compute?.skipped ? (compute.reason ?? null) : null,
    exitCode: compute?.exit_code ?? null,
    inMessage: one.in_msg && messageOf(one.in_msg),
    outMessages: one.out_msgs.map(messageOf),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Facts of contracts in the metadata of an answer and the parties of its actions. */
function factsOf({ metadata = {} }: Answer, actions: readonly AnsweredAction[]): Map<string, AccountFacts> {
  const facts = new Map<string, AccountFacts>();
  const wallet = (address: unknown, owner: unknown, jetton: unknown) => {
    if (typeof address !== 'string' || typeof owner !== 'string' || typeof jetton !== 'string') return;
    facts.set(address, { ...facts.get(address), jettonWallet: { owner, jetton } });
  };
  for (const [address, { token_info = [] }] of Object.entries(metadata))
    for (const { type, extra } of token_info)
      if (type === 'jetton_wallets') wallet(address, extra?.owner, extra?.jetton);
  for (const { details } of actions) {
    wallet(details.sender_jetton_wallet, details.sender, details.asset);
    wallet(details.receiver_jetton_wallet, details.receiver, details.asset);
    const nft = textOf(details.nft_item);
    if (nft === null) continue;
    const collection = textOf(details.nft_collection);
    const index = BigInt(textOf(details.nft_item_index) ?? 0);
    facts.set(nft, { nftItem: { index, collection, owner: null, contentUri: null, codeHash: null } });
    const seller = textOf(details.real_old_owner);
    const [contract, price] = [textOf(details.old_owner), textOf(details.price)];
    if (seller === null || contract === null || price === null) continue;
    const sale = { nft, nftOwner: seller, marketplace: null, codeHash: null };
    facts.set(contract, { nftSale: { ...sale, fullPrice: BigInt(price) } });
  }
  return facts;
}

/** Every recorded trace of which a server answered actions. */
export function recordedAnswers(sharedData: string): RecordedAnswer[] {
  const folder = join(sharedData, 'api-recordings');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.startsWith('toncenter-') && file.endsWith('.json'))
    .flatMap((file) => {
      const answer = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Answer;
      const traces = answer.traces ?? (answer.trace ? [answer] : []);
      return traces.flatMap(({ trace_id, transactions, actions }) => {
        if (!actions) return [];
        const list = Object.values(transactions).map(transactionOf);
        const trace = { traceId: trace_id ?? list[0]!.hash, transactions: list };
        return [{ file, trace, actions, facts: factsOf(answer, actions) }];
      });
    });
}
