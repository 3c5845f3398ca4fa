import { HttpError } from '../../http/errors/http-error.ts';
import { decodeAnswer } from '../answers/decode-answer.ts';
import { endpoint } from '../endpoint.ts';
import { type PostBody, unreadable } from '../parameters/body.ts';
import { texts } from '../parameters/forms.ts';
import { postEndpoint } from '../post-endpoint.ts';
import { type DecodeAnswer, DecodeBodySchema, DecodeSchema, MAX_DECODED } from '../schemas/decode.ts';

/** `/decode` (v3-endpoints.md 8.1). */
export const decode = endpoint({
  path: '/decode',
  tag: 'utils',
  summary: 'Names of opcodes and contents of message bodies.',
  reads: [],
  parameters: {
    opcodes: texts('Opcodes, repeated, at most 1000: hex, with or without 0x, or decimal.', MAX_DECODED),
    bodies: texts('Bodies, repeated, at most 1000: bags of cells in base64 or hex.', MAX_DECODED),
  },
  answer: DecodeSchema,
  async handle(scope, { opcodes, bodies }): Promise<DecodeAnswer> {
    return decodeAnswer(scope.context, opcodes, bodies);
  },
});

/** POST `/decode`: for longer lists than an address holds; its bounds are the same. */
export const decodePosted = postEndpoint({
  path: '/decode',
  tag: 'utils',
  summary: 'Names of opcodes and contents of message bodies.',
  reads: [],
  body: DecodeBodySchema,
  answer: DecodeSchema,
  async handle(context, _scope, body): Promise<DecodeAnswer> {
    return decodeAnswer(context, readTexts(body, 'opcodes'), readTexts(body, 'bodies'));
  },
});

/** A list of texts; empty if it is absent. @throws HttpError 422 */
function readTexts(body: PostBody, name: string): readonly string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) throw unreadable(name);
  if (value.length > MAX_DECODED)
    throw new HttpError(422, `${name} list exceeds maximum length of ${MAX_DECODED}`);
  return value;
}
