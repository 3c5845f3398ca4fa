/** The schemas that routes show in the OpenAPI document; requests are checked by the methods themselves. */
import { type TObject, type TProperties, Type } from 'typebox';
import { withBodyExample, withExamples } from '../../example-values.ts';
import type { Parameters } from '../../parameters/parameter.ts';
import { METHOD_EXAMPLES, RPC_EXAMPLE } from '../examples.ts';
import { ERROR_BODY } from '../format/schemas.ts';
import type { Method } from '../methods/method.ts';
import { METHODS_BY_NAME } from '../methods/methods.ts';

const RPC_FIELDS = { jsonrpc: Type.Literal('2.0'), id: Type.String() };
const EXTRA = Type.String({ description: 'the identifier that the request gave, or one of our own' });

function parametersSchema(parameters: Parameters): TObject {
  const properties: TProperties = {};
  for (const [name, { schema, required }] of Object.entries(parameters))
    properties[name] = required ? schema : Type.Optional(schema);
  return Type.Object(properties);
}

function responses(success: TProperties): Record<string, object> {
  return {
    200: Type.Object({ ok: Type.Literal(true), ...success, '@extra': EXTRA }),
    '4xx': ERROR_BODY,
    '5xx': ERROR_BODY,
  };
}

function describe({ group, summary }: Method): { tags: string[]; summary: string } {
  return { tags: [group], summary };
}

/** GET /<method>. */
export function getSchema(method: Method): object {
  return {
    ...describe(method),
    querystring: withExamples(parametersSchema(method.parameters), METHOD_EXAMPLES[method.name] ?? {}),
    response: responses({ result: method.result }),
  };
}

/** POST /<method>. */
export function postSchema(method: Method): object {
  return {
    ...describe(method),
    body: withBodyExample(parametersSchema(method.parameters), METHOD_EXAMPLES[method.name]),
    response: responses({ result: method.result }),
  };
}

const RPC_BODY = Type.Object({
  method: Type.Union([...METHODS_BY_NAME.keys()].map((name) => Type.Literal(name))),
  params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  id: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  jsonrpc: Type.Optional(Type.Literal('2.0')),
});

/** POST /jsonRPC. */
export function rpcSchema(): object {
  return {
    tags: ['json-rpc'],
    summary: 'Any method',
    body: withBodyExample(RPC_BODY, RPC_EXAMPLE),
    response: responses({ result: Type.Unknown(), ...RPC_FIELDS }),
  };
}
