import { DataError } from '../errors/error-kinds.ts';

/** The schemas' folder and its ids do not fit each other, or a schema is not valid Avro. */
export class AvroSchemaError extends DataError {
  readonly where: string;
  readonly problem: string;
  constructor(where: string, problem: string, options?: ErrorOptions) {
    super(`${where}: ${problem}`, options);
    this.where = where;
    this.problem = problem;
  }
}

/** No schema of this kind. */
export class UnknownKindError extends DataError {
  readonly kind: string;
  readonly known: readonly string[];
  constructor(kind: string, known: readonly string[]) {
    super(`no schema for kind ${kind} (known: ${known.join(', ')})`);
    this.kind = kind;
    this.known = known;
  }
}

/** A datum names a schema id that is not among ours. */
export class UnknownSchemaIdError extends DataError {
  readonly id: number;
  readonly known: readonly number[];
  constructor(id: number, known: readonly number[]) {
    super(`no schema with id ${id} (known: ${known.join(', ')})`);
    this.id = id;
    this.known = known;
  }
}

/** The value does not fit the schema; `path` is the field, e.g. `messages.0.hash`, or empty for the whole. */
export class AvroEncodeError extends DataError {
  readonly kind: string;
  readonly path: string;
  readonly expected: string;
  constructor(kind: string, path: string, expected: string, options?: ErrorOptions) {
    super(`${kind}: ${path || 'the value'} is not ${expected}`, options);
    this.kind = kind;
    this.path = path;
    this.expected = expected;
  }
}

/** The bytes are not a datum with a header, or end too early or too late, or hold what the schema forbids. */
export class AvroDecodeError extends DataError {
  /** Kind and version, or null if the header is unreadable. */
  readonly schema: string | null;
  readonly problem: string;
  readonly length: number;
  constructor(schema: string | null, problem: string, length: number, options?: ErrorOptions) {
    super(`${schema ?? 'datum'} of ${length} bytes: ${problem}`, options);
    this.schema = schema;
    this.problem = problem;
    this.length = length;
  }
}
