/** Envelope of every answer of v2 (contract/v2-endpoints.md section 2). */
import type { JsonValue } from '../../http/json-source.ts';

/** Fields that only answers of /jsonRPC have. */
export interface RpcFields {
  readonly jsonrpc: '2.0';
  readonly id: string;
}

/** Switches of a request about its own answer. */
export interface EnvelopeFields {
  /** As text; undefined if the request had none. */
  readonly extra: string | undefined;
  readonly rpc: RpcFields | undefined;
  /** `performance.now()` at the start, for the `@extra` of our own. */
  readonly startedAt: number;
}

/** A successful answer. */
export function success(result: unknown, fields: EnvelopeFields): Record<string, unknown> {
  return { ok: true, result, '@extra': getExtra(fields), ...fields.rpc };
}

/** A failed answer. `text` is never empty: a client takes an empty text for no error. */
export function failure(status: number, text: string, fields: EnvelopeFields): Record<string, unknown> {
  return {
    ok: false,
    error: text || `error ${status}`,
    code: status,
    '@extra': getExtra(fields),
    ...fields.rpc,
  };
}

/** The form of the public servers, `unixtime:worker:elapsedMs`, if the request names none. */
function getExtra(fields: EnvelopeFields): string {
  if (fields.extra !== undefined) return fields.extra;
  const elapsed = performance.now() - fields.startedAt;
  return `${(Date.now() / 1000).toFixed(3)}:0:${elapsed.toFixed(3)}`;
}

/** `@extra` and `id` are echoed as text; undefined for null and nothing. */
export function echoText(value: JsonValue | undefined): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'object') return JSON.stringify(value, bigintAsText);
  return String(value);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
