import { availableParallelism } from 'node:os';
import type {
  ChainPort,
  ContractRunner,
  PendingTraces,
  SendOutcome,
  SendProblem,
} from '../../api/chain-port.ts';
import { DeadlineError } from '../../api/http/errors/caller-errors.ts';
import { HttpError, OverloadedError } from '../../api/http/errors/http-error.ts';
import type { LiveSource } from '../../capture/liteserver/liteserver-source.ts';
import { getLive } from '../../capture/liteserver/live-settings.ts';
import { type SentToServers, sendToServers } from '../../capture/liteserver/send-to-servers.ts';
import type { Source } from '../../capture/source.ts';
import { runControlCommand } from '../../localnet/control/control-commands.ts';
import { ControlRefusal } from '../../localnet/control-refusal.ts';
import { EngineCallError } from '../../localnet/engine/engine-client.ts';
import type { SendProblem as LocalProblem } from '../../localnet/engine/parse-external.ts';
import type { LocalnetControl } from '../../localnet/localnet-control.ts';
import { OriginError, OriginLimitError } from '../../localnet/origin/origin-error.ts';
import type { SettingValues } from '../../platform/config/settings.ts';
import { TvmPool, TvmPoolError, type TvmPoolOptions } from '../../tvm/pool/tvm-pool.ts';
import type { Session } from '../session.ts';
import { addTvmMetrics } from './tvm-metrics.ts';

/** At least two, so that one long call blocks no other; some cores are left to the store and the API. */
const MIN_THREADS = 2;
const MAX_THREADS = 4;
/** A million gas takes far less. */
const TIMEOUT_MS = 3_000;

/** Threads for `auto`. */
export function autoThreads(cores: number = availableParallelism()): number {
  return Math.min(MAX_THREADS, Math.max(MIN_THREADS, Math.floor(cores / 2)));
}

/** Thread pool that runs contracts for the API; its threads start with the first call and end with the session. */
export function openContractRunner(
  { shutdown, metrics }: Pick<Session, 'shutdown' | 'metrics'>,
  { tvmThreads: threads }: SettingValues<'tvmThreads'> = { tvmThreads: 'auto' },
  limits: Pick<TvmPoolOptions, 'maxQueued' | 'maxQueuedOfClient'> = {},
): TvmPool {
  const count = threads === 'auto' ? autoThreads() : threads;
  const pool = new TvmPool({ threads: count, timeoutMs: TIMEOUT_MS, ...limits });
  addTvmMetrics(metrics, pool);
  shutdown.add('contract runner', () => pool.close());
  return pool;
}

/**
 * Actions of the API on a local chain; without one (null) it runs contracts on states of the store. Signatures of blocks
 * come from the chain, or from `source`.
 */
export function chainPort(control: LocalnetControl | null, pool: TvmPool, source?: Source): ChainPort {
  if (control) return localnetChainPort(control, pool);
  const signatures = source?.signatures?.bind(source);
  const oldBlock = source?.oldBlock?.bind(source);
  return {
    runner: buildRunner(pool),
    outlet: liveOutlet(getLive(source)),
    states: null,
    ...(signatures && { proofs: { signatures, ...(oldBlock && { oldBlock }) } }),
  };
}

/** Messages go to lite servers; null without a live network. */
function liveOutlet(live: LiveSource | null): ChainPort['outlet'] {
  return live && { send: async (boc) => toOutcome(await sendToServers(live.pool, boc)) };
}

function toOutcome(sent: SentToServers): SendOutcome {
  if (sent.kind === 'taken') return { ok: true };
  const problem = sent.kind === 'refused' ? 'refused' : 'not_ready';
  return { ok: false, problem, detail: sent.detail, exitCode: null };
}

/** Messages go to the local chain, states come from it. */
export function localnetChainPort(control: LocalnetControl, pool: TvmPool): ChainPort {
  return {
    runner: buildRunner(pool),
    outlet: { send: (boc) => send(control, boc).catch(refuse) },
    states: {
      view: (address, mcSeqno) => whenRunning(control.view(address, mcSeqno), null).catch(refuse),
      libraries: (hashes) =>
        whenRunning(
          control.libraries(hashes),
          hashes.map(() => null),
        ),
    },
    proofs: {
      signatures: async (block) => control.signatures(block),
      oldBlock: (block, earlier) => whenRunning(control.proveOldBlock(block.seqno, earlier.seqno), null),
    },
    pending: { traces: (served) => whenRunning(control.pending(served), NOTHING_PENDING) },
    ...(control.hasOrigin && {
      touch: (accounts) => whenRunning(control.touch(accounts), 0).catch(refuse),
    }),
    controls: (command, request) => {
      const done = runControlCommand(control, command, request);
      return done === null ? null : done.catch(refuse);
    },
  };
}

/** A refusal in the terms of the API. @throws HttpError, or the error itself */
function refuse(error: unknown): never {
  if (error instanceof ControlRefusal || error instanceof OriginLimitError)
    throw new HttpError(422, error.message);
  if (error instanceof OriginError) throw new HttpError(503, error.message);
  if (isNotStarted(error)) throw new HttpError(503, 'the chain makes no blocks yet');
  throw error;
}

/** The pool with the errors of the API. */
function buildRunner(pool: TvmPool): ContractRunner {
  return {
    runGetMethod: (request, caller) => withApiErrors(pool.runGetMethod(request, caller)),
    tryTransaction: (trial, caller) => withApiErrors(pool.tryTransaction(trial, caller)),
  };
}

async function withApiErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw error instanceof TvmPoolError ? toApiError(error) : error;
  }
}

function toApiError({ reason, message }: TvmPoolError): Error {
  switch (reason) {
    case 'busy':
    case 'closed':
      return new OverloadedError(message);
    case 'timeout':
      return new DeadlineError(message);
    case 'emulator':
    case 'result':
      return new HttpError(500, message);
  }
}

const NOTHING_PENDING: PendingTraces = { externals: [], blocks: [] };

const PROBLEMS: Readonly<Record<LocalProblem, SendProblem>> = {
  boc: 'boc',
  known: 'known',
  refused: 'refused',
  message: 'invalid',
  external: 'invalid',
  destination: 'invalid',
  size: 'invalid',
};

async function send(control: LocalnetControl, boc: Uint8Array): Promise<SendOutcome> {
  const outcome = await whenRunning(control.send(boc), null);
  if (outcome === null)
    return { ok: false, problem: 'not_ready', detail: 'the chain has not begun', exitCode: null };
  if (outcome.ok) return { ok: true };
  const { problem, detail, exitCode } = outcome;
  return { ok: false, problem: PROBLEMS[problem], detail, exitCode };
}

/** Between the API's start and the chain's first step, the chain takes no calls. */
async function whenRunning<T, E>(call: Promise<T>, otherwise: E): Promise<T | E> {
  try {
    return await call;
  } catch (error) {
    if (isNotStarted(error)) return otherwise;
    throw error;
  }
}

function isNotStarted(error: unknown): boolean {
  return error instanceof EngineCallError && error.engineError === 'NotStartedError';
}
