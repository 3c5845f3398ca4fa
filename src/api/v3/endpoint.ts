import type { TSchema } from 'typebox';
import type { ReadScope } from '../read/read-scope.ts';
import type { ServeSettings } from '../serve-context.ts';
import type { Parameters, ParameterValues } from './params/parameter.ts';

/** The switches that every endpoint takes, by header or in the query (v3-endpoints.md 1.6). */
export interface Switches {
  readonly addressBook: boolean;
  readonly metadata: boolean;
  /** Time limit of a query, milliseconds. */
  readonly timeoutMs: number;
}

/** What an endpoint's handler knows besides its parameters. */
export interface EndpointRequest {
  readonly settings: ServeSettings;
  readonly switches: Switches;
  /** Sets the test flag of friendly addresses. */
  readonly testnet: boolean;
}

/** One GET route below /api/v3. */
export interface Endpoint<P extends Parameters = Parameters> {
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters: P;
  /** Shape of a 200 answer. */
  readonly answer: TSchema;
  /** What it answers follows from the version and the visible range alone: it may be cached while these stand. */
  readonly cached?: true;
  handle(scope: ReadScope, values: ParameterValues<P>, request: EndpointRequest): Promise<unknown>;
  /** The answer while nothing is indexed; it may throw an HttpError. */
  empty(values: ParameterValues<P>, request: EndpointRequest): unknown;
}

/** Fixes the types of an endpoint's values to its parameters. */
export function endpoint<P extends Parameters>(definition: Endpoint<P>): Endpoint {
  return definition as unknown as Endpoint;
}
