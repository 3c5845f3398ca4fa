import { sha256 } from '../../ton/hash/sha256.ts';
import type { Caller } from '../caller.ts';
import { DeadlineError } from '../http/errors/caller-errors.ts';
import { type ReadScope, scopeFor } from '../query/scope.ts';
import { supportedTypes } from '../v3/parameters/action-types.ts';
import type { PostBody } from '../v3/parameters/body.ts';
import type { BaseState } from './base-state.ts';
import { type EmulationChoices, emulationAnswer } from './emulation-answer.ts';
import { EMULATION_MS } from './limits.ts';
import { readFlag } from './request-fields.ts';
import type { RoutedMessage } from './routed-message.ts';
import type { EmulatedTraceAnswer } from './schemas.ts';
import { TraceEmulation } from './trace-emulation.ts';

/** The choices that both requests have; `version` names the actions that the client shows. @throws HttpError 400 */
export function readChoices(body: PostBody, version: string): EmulationChoices {
  return {
    actionTypes: readFlag(body, 'with_actions') ? supportedTypes([version]) : null,
    withCells: readFlag(body, 'include_code_data'),
    withBook: readFlag(body, 'include_address_book'),
    withMetadata: readFlag(body, 'include_metadata'),
  };
}

/** Runs a message on a state and answers what became of it. @throws HttpError */
export async function runEmulation(
  scope: ReadScope,
  base: BaseState,
  run: { readonly message: RoutedMessage; readonly ignoreSignature: boolean },
  choices: EmulationChoices,
): Promise<EmulatedTraceAnswer> {
  const { seqno, rootHash } = base.view.block;
  // The same message on the same state has the same answer.
  const randomSeed = sha256(Buffer.concat([rootHash, run.message.hash]));
  const order = { ...run, randomSeed, withCells: choices.withCells };
  const emulation = new TraceEmulation(scope, base, order);
  // The pool bounds its time; waiting for a thread, which may have to be started, is not counted.
  await emulation.begin();
  const trace = await withTimeLimit(scope.caller, EMULATION_MS, (caller) =>
    emulation.follow(scopeFor(scope, caller, true)),
  );
  const facts = { mcSeqno: seqno, randomSeed, externalHash: run.message.hash };
  return emulationAnswer(scope, trace, facts, choices);
}

/** Runs `work` for a caller that waits as long as `caller` does, and `ms` at most (then a DeadlineError). */
async function withTimeLimit<T>(
  caller: Caller,
  ms: number,
  work: (caller: Caller) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = () => controller.abort(new DeadlineError(`no trace in ${ms} ms`));
  const timer = setTimeout(end, ms);
  const signal = AbortSignal.any([caller.signal, controller.signal]);
  try {
    return await work({ ...caller, signal, deadline: Math.min(caller.deadline, performance.now() + ms) });
  } finally {
    clearTimeout(timer);
  }
}
