import type { TSchema } from 'typebox';
import type { ReadScope } from '../query/scope.ts';
import type { PostBody } from '../v3/parameters/body.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { EmulatedTraceAnswer } from './schemas.ts';

/** One POST route below /api/emulate. */
export interface EmulateEndpoint {
  readonly path: string;
  readonly summary: string;
  /** Projections whose tables its answer is read from. */
  readonly reads: readonly ['base'];
  /** Projections for actions and metadata. */
  readonly adds: readonly ProjectionName[];
  /** For the OpenAPI document; fields are read by request-fields.ts. */
  readonly body: TSchema & { readonly properties: object };
  /** `actionsVersion`: the header `X-Actions-Version`; null for none. @throws HttpError */
  handle(scope: ReadScope, body: PostBody, actionsVersion: string | null): Promise<EmulatedTraceAnswer>;
}
