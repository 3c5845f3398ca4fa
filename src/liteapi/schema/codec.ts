import { DataError } from '../../platform/errors/error-kinds.ts';
import { TlError } from '../tl/tl-error.ts';
import { TlReader } from '../tl/tl-reader.ts';
import { TlWriter } from '../tl/tl-writer.ts';
import { hexId, readFields, writeFields } from './fields.ts';
import { FUNCTIONS } from './functions.ts';
import { TYPES } from './types.ts';
import type { FunctionName, TlBoxed, TlParameters, TlValue, TypeName } from './values.ts';

const QUERY = 0x798c06df;
const QUERY_PREFIX = 0x72d3e686;
const WAIT_MASTERCHAIN_SEQNO = 0xbaeab892;

const TYPE_BY_ID = new Map<number, TypeName>(
  Object.entries(TYPES).map(([name, { id }]) => [id, name as TypeName]),
);
const FUNCTION_BY_ID = new Map<number, FunctionName>(
  Object.entries(FUNCTIONS).map(([name, { id }]) => [id, name as FunctionName]),
);

/** Prefix of a request: the server answers when it has the masterchain block, or with an error after the time. */
export interface WaitPrefix {
  readonly seqno: number;
  readonly timeoutMs: number;
}

/** A request of a lite server: one function, its parameters, and what must be there first. */
export type LiteRequest = {
  [F in FunctionName]: {
    readonly name: F;
    readonly parameters: TlParameters<F>;
    readonly wait: WaitPrefix | null;
  };
}[FunctionName];

/** A function that the table does not have: the server answers with an error. */
export class UnknownFunctionError extends DataError {
  readonly id: number;

  constructor(id: number) {
    super(`function ${hexId(id)} is not known`);
    this.id = id;
  }
}

/** Encodes a value with the id of its type first. */
export function encodeBoxed<N extends TypeName>(type: N, value: TlValue<N>): Buffer {
  const writer = new TlWriter(type);
  const { id, fields } = TYPES[type];
  writer.uint32(id);
  writeFields(writer, fields, value as Readonly<Record<string, unknown>>, type);
  return writer.finish();
}

/**
 * Decodes a value that begins with the id of its type.
 * @throws TlError for an unknown id, missing bytes or bytes after the end
 */
export function decodeBoxed(bytes: Uint8Array): TlBoxed<TypeName> {
  const id = new TlReader(bytes, 'value').uint32();
  const type = TYPE_BY_ID.get(id);
  if (type === undefined) throw new TlError('value', 'a known type', hexId(id));
  const reader = new TlReader(bytes.subarray(4), type);
  const value = readFields(reader, TYPES[type].fields, type);
  reader.end();
  return { type, value } as TlBoxed<TypeName>;
}

/** Encodes `liteServer.query` with a function, after a wait prefix if there is one. */
export function encodeRequest<F extends FunctionName>(
  name: F,
  parameters: TlParameters<F>,
  wait: WaitPrefix | null,
): Buffer {
  const inner = new TlWriter(name);
  if (wait) {
    inner.uint32(WAIT_MASTERCHAIN_SEQNO);
    inner.int32(wait.seqno);
    inner.int32(wait.timeoutMs);
  }
  const { id, fields } = FUNCTIONS[name];
  inner.uint32(id);
  writeFields(inner, fields, parameters as Readonly<Record<string, unknown>>, name);
  const query = new TlWriter('query');
  query.uint32(QUERY);
  query.data(inner.finish());
  return query.finish();
}

/**
 * Decodes `liteServer.query`. Clients may send prefixes before the function.
 * @throws TlError, UnknownFunctionError
 */
export function decodeRequest(bytes: Uint8Array): LiteRequest {
  const query = new TlReader(bytes, 'query');
  const id = query.uint32();
  if (id !== QUERY) throw new TlError('query', hexId(QUERY), hexId(id));
  const reader = new TlReader(query.data(), 'function');
  query.end();
  let wait: WaitPrefix | null = null;
  let code = reader.uint32();
  for (; code === QUERY_PREFIX || code === WAIT_MASTERCHAIN_SEQNO; code = reader.uint32())
    if (code === WAIT_MASTERCHAIN_SEQNO) wait = { seqno: reader.int32(), timeoutMs: reader.int32() };
  const name = FUNCTION_BY_ID.get(code);
  if (name === undefined) throw new UnknownFunctionError(code);
  const parameters = readFields(reader, FUNCTIONS[name].fields, name);
  reader.end();
  return { name, parameters, wait } as LiteRequest;
}
