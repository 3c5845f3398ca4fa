import type { Caller } from '../../api/caller.ts';
import { type RequestedAccount, readContractAs, readTokenAs } from '../../api/chain/tokens/token-data.ts';
import type { TokenData } from '../../api/chain/tokens/token-facts.ts';
import { cellKey, readCompleteCells } from '../../api/entities/accounts/cell-index.ts';
import { isWaitOver } from '../../api/http/caller.ts';
import { HttpError, NotHeldError, OverloadedError } from '../../api/http/errors/http-error.ts';
import { openScope } from '../../api/query/scope.ts';
import type { ServeContext } from '../../api/serve-context.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { CachingRunner, MethodFailedError } from '../../projections/contracts/detect/caching-runner.ts';
import { CodeSearch, type FindCells } from '../../projections/contracts/detect/code-search.ts';
import type {
  DetectedContract,
  DetectedContractKind,
  DetectedToken,
  DetectionOutcome,
  DetectKind,
} from '../../projections/contracts/detect/detection.ts';
import type { DetectionPass } from '../../projections/contracts/detect/detector.ts';
import { Detector } from '../../projections/contracts/detect/detector.ts';
import { CONTRACTS, TOKENS } from '../../projections/contracts/detect/families.ts';
import { HiddenMethodSearch } from '../../projections/contracts/detect/hidden-method-search.ts';
import { MethodResults } from '../../projections/contracts/detect/method-results.ts';
import { runPasses } from '../../projections/contracts/detect/run-passes.ts';
import { UNKNOWN } from '../../projections/contracts/detect/unknown-outcomes.ts';
import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import type { TokenKind } from '../../ton/contracts/token-state.ts';
import { toHex } from '../../ton/hash/hex.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { GetMethodRequest } from '../../tvm/get-method.ts';
import { TvmPool } from '../../tvm/pool/tvm-pool.ts';
import { TvmPoolError } from '../../tvm/pool/tvm-pool-error.ts';
import type { Session } from '../session.ts';

/** Between two looks at what is new; nothing is read while no block comes. */
const PAUSE_MS = 10_000;
/** Longest work on one account: its own methods and its master's. */
const ACCOUNT_MS = 30_000;
/** Longest get method: a million gas takes far less, also on a busy machine; a run that is given up is kept as given up. */
const METHOD_MS = 10_000;
const NO_CODE = new Uint8Array(32);

/** Detection of one server, on states that its API would answer from. */
export class Detection {
  readonly #context: ServeContext;
  readonly #client: StoreClient;
  readonly #pool = new TvmPool({ threads: 1, timeoutMs: METHOD_MS });
  readonly #results: MethodResults;
  readonly #runner: CachingRunner<Caller>;
  readonly #stop = new AbortController();
  #detector: {
    readonly databases: string;
    readonly tokens: Detector<TokenKind, DetectedToken>;
    readonly contracts: Detector<DetectedContractKind, DetectedContract>;
    readonly codes: CodeSearch;
    readonly hidden: HiddenMethodSearch;
  } | null = null;
  #done = -1;

  /** `client`: writes outcomes. */
  constructor(context: ServeContext, client: StoreClient) {
    this.#client = client;
    this.#results = new MethodResults(client, context.network.label);
    const run = (request: GetMethodRequest, caller: Caller) => this.#pool.runGetMethod(request, caller);
    this.#runner = new CachingRunner({ run, getOwnFailure }, this.#results);
    const { chain } = context;
    this.#context = {
      ...context,
      ...(chain && { chain: { ...chain, runner: { ...chain.runner, runGetMethod: this.#run } } }),
    };
  }

  /** Runs in the TVM so far: cached ones cost none. */
  get runs(): number {
    return this.#runner.runs;
  }

  /** Looks at what is new; null where nothing is, or `contracts` cannot be read. */
  async pass(): Promise<DetectionPass | null> {
    const { base, contracts } = this.#context.vector();
    if (!this.#context.chain || base.state !== 'served' || contracts.state !== 'served') return null;
    const last = Math.min(base.visible.last, contracts.visible.last);
    const databases = `${base.database} ${contracts.database}`;
    if (this.#detector?.databases !== databases) {
      const { label: network } = this.#context.network;
      const store = { client: this.#client, network, states: base.database, contracts: contracts.database };
      const { signal } = this.#stop;
      this.#detector = {
        databases,
        tokens: new Detector(store, TOKENS, this.#detectToken, signal),
        contracts: new Detector(store, CONTRACTS, this.#detectContract, signal),
        codes: new CodeSearch(store, this.#findCells),
        hidden: new HiddenMethodSearch(store, this.#findCells),
      };
      this.#done = -1;
    }
    if (last <= this.#done) return null;
    await this.#detector.codes.pass(last);
    await this.#detector.hidden.pass();
    const tokens = await this.#detector.tokens.pass(last);
    const others = await this.#detector.contracts.pass(last);
    await this.#results.flush();
    const done = sumPasses(tokens, others);
    if (done.isComplete) this.#done = last;
    return done;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#pool.close();
  }

  readonly #run: CachingRunner<Caller>['runGetMethod'] = (request, caller) =>
    this.#runner.runGetMethod(request, caller);

  readonly #detectToken: DetectKind<TokenKind, DetectedToken> = (account, kind, at) =>
    this.#outcome(account, async (requested) => {
      const found = await readTokenAs({ ...requested, mcSeqno: at }, kind);
      return typeof found === 'string' ? found : detected(found);
    });

  readonly #detectContract: DetectKind<DetectedContractKind, DetectedContract> = (account, kind, at) =>
    this.#outcome(account, (requested) => readContractAs({ ...requested, mcSeqno: at }, kind));

  /** `read`: the result for the account, or the reason of a refusal. */
  async #outcome<F extends object>(
    address: AccountAddress,
    read: (requested: RequestedAccount) => Promise<F | string>,
  ): Promise<DetectionOutcome<F> | null> {
    try {
      const found = await read({ context: this.#context, caller: this.#caller(), address });
      return typeof found === 'string' ? { reason: found } : { found };
    } catch (error) {
      return toOutcome(error);
    }
  }

  readonly #findCells: FindCells = async (hashes) => {
    const scope = openScope(this.#context, {
      route: 'detection',
      reads: ['base'],
      caller: this.#caller(),
    });
    const keys = hashes.map((hash) => cellKey(Buffer.from(hash, 'hex')));
    try {
      const cells = await readCompleteCells(scope, keys, []);
      return new Map([...cells.values()].map((cell) => [toHex(cell.hash()), writeBag(cell)]));
    } catch (error) {
      // On a busy machine: they are looked for again.
      if (error instanceof OverloadedError || isWaitOver(error) || error instanceof DOMException)
        return new Map();
      throw error;
    }
  };

  #caller(): Caller {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ACCOUNT_MS)]);
    return { signal, deadline: performance.now() + ACCOUNT_MS, client: 'detection', readOnly: true };
  }
}

/** Passes of both families as one. */
function sumPasses(one: DetectionPass, other: DetectionPass): DetectionPass {
  return {
    accounts: one.accounts + other.accounts,
    found: one.found + other.found,
    postponed: one.postponed + other.postponed,
    isComplete: one.isComplete && other.isComplete,
  };
}

/** Failures caused by the contract itself; others prove nothing about it. */
const OWN_FAILURES: readonly TvmPoolError['reason'][] = ['timeout', 'emulator', 'result'];

function getOwnFailure(error: unknown): string | null {
  const isOwn = error instanceof TvmPoolError && OWN_FAILURES.includes(error.reason);
  return isOwn ? `get method: ${error.reason}` : null;
}

/** The reason that an error gives for the account; null if the error is not the contract's. */
function toOutcome(error: unknown): { readonly reason: string } | null {
  if (error instanceof MethodFailedError) return { reason: error.message };
  if (error instanceof OverloadedError || error instanceof TvmPoolError || isWaitOver(error)) return null;
  if (error instanceof DOMException) return null;
  if (error instanceof NotHeldError) return { reason: `${UNKNOWN}${error.missing}` };
  if (error instanceof HttpError) return { reason: error.message };
  throw error;
}

function detected(token: TokenData): DetectedToken {
  const none = { owner: null, parent: null, childCode: NO_CODE, content: null } as const;
  switch (token.kind) {
    case 'jetton_master': {
      const { kind, totalSupply: amount, mintable: flag, admin: owner } = token;
      return {
        ...none,
        kind,
        amount,
        flag,
        owner,
        childCode: hashBag(token.walletCode),
        content: toContentJson(token),
      };
    }
    case 'jetton_wallet': {
      const { kind, balance: amount, owner, master: parent } = token;
      const flag = token.isClaimed === false;
      return { ...none, kind, amount, flag, owner, parent, childCode: hashBag(token.walletCode) };
    }
    case 'nft_collection': {
      const { kind, nextIndex: amount, owner } = token;
      return { ...none, kind, amount, flag: false, owner, content: toContentJson(token) };
    }
    case 'nft_item': {
      const { kind, index: amount, isInit: flag, owner, collection: parent } = token;
      return { ...none, kind, amount, flag, owner, parent, content: toContentJson(token) };
    }
  }
}

function toContentJson({ content }: Exclude<TokenData, { kind: 'jetton_wallet' }>): string {
  if ('domain' in content) return JSON.stringify({ domain: content.domain });
  return JSON.stringify(content.type === 'offchain' ? { uri: content.data } : content.data);
}

function hashBag(bag: Uint8Array): Uint8Array {
  const boc = parseBoc(bag);
  return new CellHashes(boc).hash(onlyRoot(boc));
}

/** Runs detection in the background until the session ends. */
export function startDetection(context: ServeContext, client: StoreClient, session: Session): void {
  const detection = new Detection(context, client);
  const stop = new AbortController();
  const signal = AbortSignal.any([session.signal, stop.signal]);
  const running = runPasses(() => detection.pass(), { pauseMs: PAUSE_MS, signal, log: session.log });
  session.shutdown.add('detection', async () => {
    stop.abort();
    await detection.close();
    await running;
  });
}
