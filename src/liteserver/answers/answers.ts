import type { FunctionName, TlAnswer, TlParameters } from '../../liteapi/schema/values.ts';
import type { LiteContext } from '../lite-context.ts';

/** Makes the answer of a function. @throws LiteServerError the protocol's `error` */
export type Answer<F extends FunctionName> = (
  context: LiteContext,
  parameters: TlParameters<F>,
) => TlAnswer<F> | Promise<TlAnswer<F>>;

/** Answers of some functions by name. */
export type Answers<F extends FunctionName> = { readonly [Name in F]: Answer<Name> };
