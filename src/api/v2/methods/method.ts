import type { TSchema } from 'typebox';
import type { Caller } from '../../caller.ts';
import type { JsonObject } from '../../http/json-source.ts';
import type { Parameters, ParameterValues } from '../../parameters/parameter.ts';
import type { ReadScope } from '../../query/scope.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { ProjectionName, ProjectionUnavailableError } from '../../version-vector.ts';
import type { BlockIdTag } from '../format/block-id.ts';
import { readParameters } from '../parameters/read-parameters.ts';

/** One request, whichever of the three ways it came. */
export interface V2Request<R extends ProjectionName = 'base'> {
  readonly context: ServeContext;
  /** Scope of the answer; null if the method reads nothing, or one of its projections is unavailable. */
  readonly scope: ReadScope<R> | null;
  /** Why there is no scope; null if the method reads nothing. */
  readonly unavailable: ProjectionUnavailableError | null;
  /** Caller, also while nothing is indexed. */
  readonly caller: Caller;
  readonly blockIdTag: BlockIdTag;
}

/** Definition of a method. */
export interface MethodDefinition<P extends Parameters, Reads extends readonly ProjectionName[]> {
  readonly name: string;
  /** Other names of the same method. */
  readonly aliases?: readonly string[];
  readonly group: 'accounts' | 'blocks' | 'transactions' | 'run method' | 'send' | 'config' | 'utils';
  /** Projections whose tables its answer is read from. */
  readonly reads: Reads;
  /** No GET route: the method acts, or its parameters have no form in a query. Default false. */
  readonly postOnly?: boolean;
  /** Its parameters have bags of cells or a stack: larger bodies are taken. Default false. */
  readonly takesCells?: boolean;
  /** The answer is about a block by its seqno: later blocks do not change it. Default false. */
  readonly isFinished?: boolean;
  readonly summary: string;
  readonly parameters: P;
  readonly result: TSchema;
  /**
   * The result of the envelope: never null, a bare number or `""`.
   * @throws HttpError
   */
  answer(request: V2Request<Reads[number]>, values: ParameterValues<P>): Promise<unknown> | unknown;
}

/** A method of the table. */
export interface Method {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly group: string;
  readonly reads: readonly ProjectionName[];
  readonly postOnly: boolean;
  readonly takesCells: boolean;
  readonly isFinished: boolean;
  readonly summary: string;
  readonly parameters: Parameters;
  readonly result: TSchema;
  /**
   * Reads the parameters of a call; returns the function that makes its answer from the method's projections. @throws
   * HttpError, both
   */
  prepare(input: JsonObject): (request: V2Request<ProjectionName>) => Promise<unknown>;
}

/** Keeps the types of a method's parameters and projections together with what reads them. */
export function defineMethod<P extends Parameters, const Reads extends readonly ProjectionName[]>(
  definition: MethodDefinition<P, Reads>,
): Method {
  return {
    ...definition,
    aliases: definition.aliases ?? [],
    postOnly: definition.postOnly ?? false,
    takesCells: definition.takesCells ?? false,
    isFinished: definition.isFinished ?? false,
    prepare: (input) => {
      const values = readParameters(definition.parameters, input);
      return async (request) => definition.answer(request as unknown as V2Request<Reads[number]>, values);
    },
  };
}

/**
 * Scope that an answer about the chain is read from.
 * @throws ProjectionUnavailableError
 */
export function requireScope<R extends ProjectionName>({ scope, unavailable }: V2Request<R>): ReadScope<R> {
  if (scope) return scope;
  throw unavailable ?? new TypeError('the method declares no projection to read');
}
