import type { Caller } from '../caller.ts';
import type { ReadScope } from '../read/read-scope.ts';
import type { ServeContext } from '../serve-context.ts';

/** What an answer about contracts is made from, and who waits for it. */
export interface ChainRequest {
  readonly context: ServeContext;
  /** null while nothing is indexed. */
  readonly scope: ReadScope | null;
  readonly caller: Caller;
}
