import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { ServeSettings } from '../serve-context.ts';
import type { JsonValue } from './json-source.ts';

const HEADER = 'x-tonhouse-strict';
const IGNORED = 'X-Tonhouse-Ignored-Parameters';
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 60;
const YES = new Set(['1', 't', 'true', 'on', 'yes']);
const NO = new Set(['0', 'f', 'false', 'off', 'no']);

/** Whether unknown parameters are refused: the parameter `strict` wins over the header, the header over the setting. */
export function isStrict(
  parameter: JsonValue | undefined,
  headers: IncomingHttpHeaders,
  { strict }: Pick<ServeSettings, 'strict'>,
): boolean {
  return truth(parameter) ?? truth(headers[HEADER]?.toString()) ?? strict;
}

/** Boolean that a value means; null for any other value. */
function truth(value: JsonValue | undefined): boolean | null {
  const word = String(value).toLowerCase();
  return YES.has(word) ? true : NO.has(word) ? false : null;
}

/** Tells in a header of the answer which parameters had no effect. Names are percent-encoded. */
export function setIgnoredHeader(reply: FastifyReply, names: readonly string[]): void {
  if (names.length === 0) return;
  const shown = names.slice(0, MAX_NAMES).map((name) => encodeName(name.slice(0, MAX_NAME_LENGTH)));
  reply.header(IGNORED, shown.join(', '));
}

/** A name may hold half of a surrogate pair, which has no encoding. */
function encodeName(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}
