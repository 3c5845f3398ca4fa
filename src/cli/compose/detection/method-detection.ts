import type { Caller } from '../../../api/caller.ts';
import { type RequestedAccount, readContractAs, readTokenAs } from '../../../api/chain/tokens/token-data.ts';
import type { TokenData } from '../../../api/chain/tokens/token-facts.ts';
import { cellKey, readCompleteCells } from '../../../api/entities/accounts/cell-index.ts';
import { isWaitOver } from '../../../api/http/caller.ts';
import { HttpError, NotHeldError, OverloadedError } from '../../../api/http/errors/http-error.ts';
import { openScope } from '../../../api/query/scope.ts';
import type { ServeContext } from '../../../api/serve-context.ts';
import { CachingRunner, MethodFailedError } from '../../../projections/detections/caching-runner.ts';
import { CellsNotReadError, type FindCells } from '../../../projections/detections/code-search.ts';
import type {
  DetectedContract,
  DetectedToken,
  DetectionOutcome,
  DetectKind,
} from '../../../projections/detections/detection.ts';
import type { DetectorPorts } from '../../../projections/detections/detection-feed.ts';
import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import type { DetectedContractKind } from '../../../ton/contracts/codes/kind-methods.ts';
import type { TokenKind } from '../../../ton/contracts/token-state.ts';
import { UNKNOWN_OUTCOME } from '../../../ton/contracts/unknown-outcome.ts';
import { toHex } from '../../../ton/hash/hex.ts';
import type { AccountAddress } from '../../../ton/store/store-address.ts';
import type { GetMethodRequest } from '../../../tvm/get-method.ts';
import { TvmPool } from '../../../tvm/pool/tvm-pool.ts';
import { TvmPoolError } from '../../../tvm/pool/tvm-pool-error.ts';

/** Longest work on one account: its own methods and its master's. */
const ACCOUNT_MS = 30_000;
/** Longest get method: a million gas takes far less, also on a busy machine; a run that is given up is kept as given up. */
const METHOD_MS = 10_000;
const NO_CODE = new Uint8Array(32);

/** Get methods on states that the API of this server would answer from, for the detector. */
export class MethodDetection implements Pick<DetectorPorts, 'detectToken' | 'detectContract' | 'findCells'> {
  readonly #context: ServeContext;
  readonly #pool = new TvmPool({ threads: 1, timeoutMs: METHOD_MS });
  readonly #runner: CachingRunner<Caller>;
  readonly #stop = new AbortController();

  constructor(context: ServeContext) {
    const run = (request: GetMethodRequest, caller: Caller) => this.#pool.runGetMethod(request, caller);
    this.#runner = new CachingRunner({ run, getOwnFailure });
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

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#pool.close();
  }

  readonly #run: CachingRunner<Caller>['runGetMethod'] = (request, caller) =>
    this.#runner.runGetMethod(request, caller);

  readonly detectToken: DetectKind<TokenKind, DetectedToken> = (account, kind, at) =>
    this.#outcome(account, async (requested) => {
      const found = await readTokenAs({ ...requested, mcSeqno: at }, kind);
      return typeof found === 'string' ? found : detected(found);
    });

  readonly detectContract: DetectKind<DetectedContractKind, DetectedContract> = (account, kind, at) =>
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

  readonly findCells: FindCells = async (hashes) => {
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
      const isBusy = error instanceof OverloadedError || isWaitOver(error) || error instanceof DOMException;
      throw isBusy ? new CellsNotReadError(hashes.length, error) : error;
    }
  };

  #caller(): Caller {
    const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(ACCOUNT_MS)]);
    return { signal, deadline: performance.now() + ACCOUNT_MS, client: 'detection', readOnly: true };
  }
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
  if (error instanceof NotHeldError) return { reason: `${UNKNOWN_OUTCOME}${error.missing}` };
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
