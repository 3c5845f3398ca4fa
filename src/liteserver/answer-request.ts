import { encodeBoxed, type LiteRequest } from '../liteapi/schema/codec.ts';
import { FUNCTIONS } from '../liteapi/schema/functions.ts';
import type { FunctionName, TlValue, TypeName } from '../liteapi/schema/values.ts';
import { ACCOUNT_ANSWERS } from './answers/account-answers.ts';
import type { Answer, Answers } from './answers/answers.ts';
import { CHAIN_ANSWERS } from './answers/chain-answers.ts';
import { CONFIG_ANSWERS } from './answers/config-answers.ts';
import { LIBRARY_ANSWERS } from './answers/library-answers.ts';
import { LOOKUP_ANSWERS } from './answers/lookup-answers.ts';
import { MESSAGE_ANSWERS } from './answers/message-answers.ts';
import { PROOF_ANSWERS } from './answers/proof-answers.ts';
import { QUEUE_ANSWERS } from './answers/queue-answers.ts';
import { SHARD_ANSWERS } from './answers/shard-answers.ts';
import { TRANSACTION_ANSWERS } from './answers/transaction-answers.ts';
import type { LiteContext } from './lite-context.ts';
import { waitTimeout } from './lite-refusals.ts';

/** Every function of the protocol by name. */
const ANSWERS: Answers<FunctionName> = {
  ...CHAIN_ANSWERS,
  ...LOOKUP_ANSWERS,
  ...SHARD_ANSWERS,
  ...ACCOUNT_ANSWERS,
  ...TRANSACTION_ANSWERS,
  ...CONFIG_ANSWERS,
  ...LIBRARY_ANSWERS,
  ...QUEUE_ANSWERS,
  ...PROOF_ANSWERS,
  ...MESSAGE_ANSWERS,
};

/** A client may ask to wait for a block, but not for longer than this. */
const MAX_WAIT_MS = 15_000;

/**
 * Answers one request with the encoded answer.
 * @throws LiteServerError the protocol's `error`
 */
export async function answerRequest(
  context: LiteContext,
  { name, parameters, wait }: LiteRequest,
  signal: AbortSignal,
): Promise<Uint8Array> {
  // A source without new blocks has them in the index.
  const isOld = wait !== null && context.chain.head === null && (await isIndexed(context, wait.seqno));
  if (wait && !isOld) {
    const isThere = await context.chain.waitFor(wait.seqno, Math.min(wait.timeoutMs, MAX_WAIT_MS), signal);
    if (!isThere) throw waitTimeout(wait.seqno);
  }
  const answer = (ANSWERS[name] as Answer<FunctionName>)(context, parameters as never);
  return encodeBoxed(FUNCTIONS[name].answer, (await answer) as TlValue<TypeName> as never);
}

async function isIndexed({ older }: LiteContext, seqno: number): Promise<boolean> {
  const newest = await older?.newest();
  return newest ? newest.header.seqno >= seqno : false;
}
