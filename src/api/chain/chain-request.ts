import type { Caller } from '../caller.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';

/** Context of an answer about contracts, and its caller. */
export interface ChainRequest {
  readonly context: ServeContext;
  /** null while nothing is indexed. */
  readonly scope: ReadScope | null;
  readonly caller: Caller;
}
