import type { TSchema } from 'typebox';
import type { Caller } from '../../caller.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import { NotInIndex } from '../errors.ts';
import type { BlockIdTag } from '../format/block-id.ts';
import type { JsonObject } from '../json-source.ts';
import type { Parameters, Values } from '../parameters/kind.ts';
import { readParameters } from '../parameters/parameter.ts';

/** One request, whichever of the three ways it came. */
export interface V2Request {
  readonly context: ServeContext;
  /** Where the answer is read from; null while nothing is indexed. */
  readonly scope: ReadScope | null;
  /** Who waits, also while nothing is indexed. */
  readonly caller: Caller;
  readonly blockIdTag: BlockIdTag;
}

/** How a method is written down. */
export interface MethodDefinition<P extends Parameters> {
  readonly name: string;
  /** Other names of the same method. */
  readonly aliases?: readonly string[];
  readonly group: 'accounts' | 'blocks' | 'transactions' | 'run method' | 'send' | 'config' | 'utils';
  /** No GET route: the method acts, or its parameters have no form in a query. Default false. */
  readonly postOnly?: boolean;
  /** Its parameters have bags of cells or a stack: larger bodies are taken. Default false. */
  readonly takesCells?: boolean;
  readonly summary: string;
  readonly parameters: P;
  readonly result: TSchema;
  /**
   * The result of the envelope: never null, a bare number or `""`.
   * @throws V2Error
   */
  answer(request: V2Request, values: Values<P>): Promise<unknown> | unknown;
}

/** A method of the table, its parameters read and its answer made in one call. */
export interface Method {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
  readonly postOnly: boolean;
  readonly takesCells: boolean;
  readonly summary: string;
  readonly parameters: Parameters;
  readonly result: TSchema;
  /** @throws V2Error */
  call(request: V2Request, input: JsonObject): Promise<unknown>;
}

/** Keeps the types of a method's parameters together with what reads them. */
export function defineMethod<P extends Parameters>(definition: MethodDefinition<P>): Method {
  return {
    ...definition,
    aliases: definition.aliases ?? [],
    postOnly: definition.postOnly ?? false,
    takesCells: definition.takesCells ?? false,
    call: async (request, input) => definition.answer(request, readParameters(definition.parameters, input)),
  };
}

/**
 * What an answer about the chain is read from.
 * @throws NotInIndex while nothing is indexed
 */
export function scopeOf(request: V2Request): ReadScope {
  if (request.scope === null) throw new NotInIndex('no blocks indexed yet');
  return request.scope;
}
