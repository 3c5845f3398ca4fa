import type { TSchema } from 'typebox';
import type { Parameters, ParameterValues } from '../parameters/parameter.ts';
import type { ReadScope } from '../query/scope.ts';
import type { ServeSettings } from '../serve-context.ts';
import type { ProjectionName } from '../version-vector.ts';
import type { SelectedFields } from './fields.ts';

/** The switches that every endpoint takes, by header or in the query (v3-endpoints.md 1.6). */
export interface Switches {
  readonly addressBook: boolean;
  readonly metadata: boolean;
  /** Types of actions that the client shows, by one name, in the place of `supported_action_types`; null: not sent. */
  readonly actionsVersion: string | null;
  /** Time limit of a query, milliseconds. */
  readonly timeoutMs: number;
}

/** Context of an endpoint's handler in addition to its parameters. */
export interface EndpointRequest {
  readonly settings: ServeSettings;
  readonly switches: Switches;
  /** Sets the test flag of friendly addresses. */
  readonly testnet: boolean;
  /** Fields of the rows that are asked for. */
  readonly fields: SelectedFields;
}

/** One GET route below /api/v3. */
export interface Endpoint<
  P extends Parameters = Parameters,
  Reads extends readonly ProjectionName[] = readonly ProjectionName[],
> {
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** Projections whose tables its answer is read from: the answer speaks of the range that all of them have. */
  readonly reads: Reads;
  /** Projections that add optional fields to the answer. */
  readonly adds?: readonly ProjectionName[];
  readonly parameters: P;
  /** Shape of a 200 answer. */
  readonly answer: TSchema;
  /** The answer follows only from the versions and the visible range: it may be cached while these do not change. */
  readonly cached?: true;
  /** Name of the answer's list, where requests may select from the fields of its rows: it takes `SELECTING`. */
  readonly selects?: string;
  /**
   * Refuses values that cannot be answered, whatever the index has. Asked before anything is read or woken for the answer.
   * @throws HttpError
   */
  check?(values: ParameterValues<P>): void;
  handle(
    scope: ReadScope<Reads[number]>,
    values: ParameterValues<P>,
    request: EndpointRequest,
  ): Promise<unknown>;
}

/** Fixes the types of an endpoint's values to its parameters and projections. */
export function endpoint<P extends Parameters, const Reads extends readonly ProjectionName[]>(
  definition: Endpoint<P, Reads>,
): Endpoint {
  return definition as unknown as Endpoint;
}
