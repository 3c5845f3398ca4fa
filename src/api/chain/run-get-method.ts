import { formatRaw } from '../../ton/address/address.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { GetMethodRequest } from '../../tvm/get-method.ts';
import type { StackValue } from '../../tvm/stack/stack-value.ts';
import { StackValueError, writeStack } from '../../tvm/stack/write-stack.ts';
import type { ChainView, ContractResult } from '../chain-port.ts';
import { HttpError } from '../http/errors/http-error.ts';
import { toRawAddress } from '../query/account-id.ts';
import { type RunnableAccount, readShardAccount } from './account-of-view.ts';
import type { ChainRequest } from './chain-request.ts';
import { needChain, notHeld } from './need-chain.ts';
import { readChainView } from './read-chain-view.ts';
import { readLibraries } from './stored-libraries.ts';

export interface MethodCall {
  readonly address: AccountAddress;
  readonly methodId: number;
  readonly stack: readonly StackValue[];
  /** Masterchain block of the state; by default the newest. */
  readonly mcSeqno?: number | undefined;
  /** State of the account instead of the stored one. */
  readonly state?: MethodState | undefined;
}

/** Parts of an account's state that a get method runs on. */
export interface MethodState {
  /** Bags of cells; `data` null: none. */
  readonly code: Uint8Array;
  readonly data: Uint8Array | null;
  /** Nanotons. */
  readonly balance: bigint;
}

export interface MethodOutcome {
  readonly exitCode: number;
  readonly gasUsed: number;
  readonly stack: readonly StackValue[];
  readonly view: ChainView;
  /** null: there is no account, or the call named a state. */
  readonly account: RunnableAccount | null;
}

/** Gas limit of a liteserver. */
const GAS_LIMIT = 1_000_000n;
/** The exit code for an account without code (v2-endpoints.md section 13). */
const NO_CODE = -13;
/** Libraries that one call may ask for. */
const MAX_LIBRARIES = 8;
/** A cell without data or references, for a contract without data. */
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';

/**
 * Runs a get method. That it ends with a non-zero exit code is no error.
 * @throws NotHeldError the index lacks the account, or a library that it needs
 * @throws HttpError
 */
export async function runGetMethod(
  { context, scope, caller }: ChainRequest,
  call: MethodCall,
): Promise<MethodOutcome> {
  needChain(context);
  const stack = argumentStack(call.stack);
  const view = await readChainView(context, scope, call.state ? null : call.address, call.mcSeqno);
  const account = readShardAccount(view.shardAccount);
  const state = call.state ?? storedState(account);
  if (!state) return { exitCode: NO_CODE, gasUsed: 0, stack: [], view, account };
  const request = {
    code: toBase64(state.code),
    data: state.data ? toBase64(state.data) : EMPTY_CELL,
    methodId: call.methodId,
    stack,
    config: view.config,
    address: formatRaw(call.address.workchain, call.address.address, false),
    now: view.utime,
    balance: state.balance,
    gasLimit: GAS_LIMIT,
    randomSeed: new Uint8Array(32),
    libraries: view.libraries,
    prevBlocks: view.prevBlocks,
  };
  const result = await runWithLibraries({ context, scope, caller }, request);
  const { exitCode, gasUsed, values, missingLibrary } = result;
  if (missingLibrary && view.hasUnknownLibraries)
    throw notHeld(describeMissingLibrary(call.address, missingLibrary));
  return { exitCode, gasUsed: Number(gasUsed), stack: values, view, account };
}

function storedState(account: RunnableAccount | null): MethodState | null {
  if (!account?.code) return null;
  return { code: account.code, data: account.data, balance: account.account.balance.grams };
}

/**
 * Runs with the libraries of the view. Views of the store have none: a missing library is looked up by its hash and the
 * method runs again, since only the code names its libraries.
 */
async function runWithLibraries(
  { context, scope, caller }: ChainRequest,
  request: GetMethodRequest,
): Promise<ContractResult> {
  const { runner } = needChain(context);
  const hashes: string[] = [];
  for (let libraries = request.libraries; ; ) {
    const result = await runner.runGetMethod({ ...request, libraries }, caller);
    const { missingLibrary } = result;
    if (!missingLibrary || !scope || request.libraries !== null || hashes.length === MAX_LIBRARIES)
      return result;
    hashes.push(missingLibrary);
    libraries = await readLibraries(scope, hashes);
    if (libraries === null) return result;
  }
}

/** Names the library that a contract needed. */
function describeMissingLibrary({ workchain, address }: AccountAddress, library: string): string {
  const hash = library.toLowerCase();
  const base64 = Buffer.from(hash, 'hex').toString('base64');
  return `account ${toRawAddress(workchain, address)} needs library ${hash} (base64 ${base64}), which is not in this index`;
}

/** The arguments for the emulator. @throws HttpError 422 */
function argumentStack(values: readonly StackValue[]): string {
  try {
    return toBase64(writeStack(values));
  } catch (error) {
    if (error instanceof StackValueError) throw new HttpError(422, error.message);
    throw error;
  }
}
