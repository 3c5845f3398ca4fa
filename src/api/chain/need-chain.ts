import type { ChainPort } from '../chain-port.ts';
import { HttpError, NotHeldError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';

/** Status of an answer without a node: clients do not repeat the request (errors-and-limits.md 2: no node). */
const NO_NODE = 542;

/** @throws HttpError the server only answers from the store */
export function needChain({ chain }: Pick<ServeContext, 'chain'>): ChainPort {
  if (!chain) throw new HttpError(NO_NODE, 'no workers available: this server runs no contracts');
  return chain;
}

/** A source without an outlet. */
export function noOutlet(): HttpError {
  return new HttpError(NO_NODE, 'no workers available: this source takes no messages');
}

/** A state that would be needed and is not held. */
export function notHeld(what: string): NotHeldError {
  return new NotHeldError(what);
}
