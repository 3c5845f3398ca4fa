import type { FastifyRequest } from 'fastify';
import { HttpError } from '../http/errors/http-error.ts';
import { readQueryString, type SentParameters } from '../http/query-string.ts';
import { isStrict } from '../http/strict.ts';
import { unknownNames, unknownText } from '../parameters/unknown-parameters.ts';
import type { ServeSettings } from '../serve-context.ts';
import type { PostBody } from './parameters/body.ts';

/**
 * Parameter names of a request that an endpoint does not know.
 * @throws HttpError 422 in strict mode, if there are any
 */
export function ignoredNames(
  { headers }: Pick<FastifyRequest, 'headers'>,
  settings: Pick<ServeSettings, 'strict'>,
  sent: SentParameters,
  known: readonly string[],
): readonly string[] {
  const unknown = unknownNames(
    [...sent.values()].map(({ name }) => name),
    known,
  );
  const strict = sent.get('strict')?.values.at(-1);
  if (unknown.length > 0 && isStrict(strict, headers, settings))
    throw new HttpError(422, unknownText(unknown, known));
  return unknown;
}

/** Text of a field; none of an object, which may be deeper than the stack. */
const toTexts = (value: unknown): string[] => (typeof value === 'object' ? [] : [String(value)]);

/** Parameters of a posted request: of its address and its body. */
export function sentBy(url: string, body: PostBody): SentParameters {
  const fields = Object.entries(body).map(
    ([name, value]) => [name.toLowerCase(), { name, values: toTexts(value) }] as const,
  );
  return new Map([...readQueryString(url), ...fields]);
}
