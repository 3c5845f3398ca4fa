import { fromBase64 } from '../../../ton/hash/base64.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import type { JsonFields } from '../../../ton/schema/reading.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import type { ServeContext } from '../../serve-context.ts';
import type { DecodeAnswer } from '../schemas/decode.ts';
import { AnswerBodies } from './answer-bodies.ts';

/** Beginning of bags of cells in base64 with the usual magic number. */
const BASE64_START = 'te6';
const OPS = 2 ** 32;

/** Reason texts after `unknown:`. */
const REASONS = {
  unknown: 'no layout fits',
  malformed: 'it is no bag of cells',
  size: 'it is too large',
  depth: 'it is nested too deep',
} as const;

/**
 * The answer of `/decode` (v3-endpoints.md 8.1), positions kept.
 * @throws HttpError 422: an opcode that is none
 */
export function decodeAnswer(
  context: ServeContext,
  opcodes: readonly string[],
  bodies: readonly string[],
): DecodeAnswer {
  const answer = new AnswerBodies(context);
  return {
    opcodes: opcodes.map((text, index) => answer.getName(parseOpcode(text, index)) ?? 'unknown'),
    bodies: bodies.map((text) => shownBody(answer, text)),
  };
}

/** Hex, with or without `0x`; else unsigned decimal; else signed: 32 bits. */
function parseOpcode(text: string, index: number): number {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  const read = /^[0-9a-fA-F]+$/.test(digits) ? Number.parseInt(digits, 16) : OPS;
  if (read < OPS) return read;
  const number = /^[+-]?\d+$/.test(digits) ? Number(digits) : Number.NaN;
  if (number >= -OPS / 2 && number < OPS) return number >>> 0;
  throw new HttpError(422, `invalid opcode format at index ${index}: ${text}`);
}

function shownBody(answer: AnswerBodies, text: string): JsonFields {
  const isBase64 = text.startsWith(BASE64_START);
  const bag = isBase64 ? fromBase64(text) : fromHex(text);
  if (!bag) return { error: `unknown: the body is no ${isBase64 ? 'base64' : 'hex'}` };
  const body = answer.decode(bag);
  if ('value' in body) return body.value as JsonFields;
  return { error: `unknown: ${REASONS[body.undecoded]}` };
}
