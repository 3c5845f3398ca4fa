import type { TSchema } from 'typebox';
import type { Caller } from '../caller.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ServeContext } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { PostBody } from './parameters/body.ts';

/** One POST route below /api/v3. */
export interface PostEndpoint<Reads extends readonly ProjectionName[] = readonly ProjectionName[]> {
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Projections whose tables its answer is read from. */
  readonly reads: Reads;
  /** It sends a message: pages that may only read are refused. */
  readonly sends?: true;
  /** For the OpenAPI document; fields are read by parameters/body.ts. */
  readonly body: TSchema;
  /** Shape of a 200 answer. */
  readonly answer: TSchema;
  /**
   * `scope` is null if it reads nothing or a projection is unavailable: the chain itself may still answer.
   * @throws HttpError
   */
  handle(
    context: ServeContext,
    scope: ReadScope<Reads[number]> | null,
    body: PostBody,
    caller: Caller,
  ): Promise<unknown>;
}

/** Fixes the type of an endpoint's scope to its projections. */
export function postEndpoint<const Reads extends readonly ProjectionName[]>(
  definition: PostEndpoint<Reads>,
): PostEndpoint {
  return definition as unknown as PostEndpoint;
}
