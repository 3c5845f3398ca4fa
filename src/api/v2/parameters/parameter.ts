import { InvalidRequest } from '../errors.ts';
import type { JsonObject, JsonValue } from '../json-source.ts';
import type { Kind, Parameter, Parameters, Values } from './kind.ts';

/** Null and the empty text count as absent: clients send both for "not given". */
function isAbsent(value: JsonValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

/** A parameter that must be there. `missing`: the error text, `<name> required` unless given. */
export function required<T>(kind: Kind<T>, description: string, missing?: string): Parameter<T> {
  return {
    schema: kind.schema,
    description,
    required: true,
    read(value, name) {
      if (isAbsent(value)) throw new InvalidRequest(missing ?? `${name} required`);
      return kind.parse(value, name);
    },
  };
}

/** A parameter that may be left out. */
export function optional<T>(kind: Kind<T>, description: string): Parameter<T | undefined> {
  return {
    schema: kind.schema,
    description,
    required: false,
    read: (value, name) => (isAbsent(value) ? undefined : kind.parse(value, name)),
  };
}

/** A parameter with a value of its own where the request has none. */
export function withDefault<T>(kind: Kind<T>, fallback: T, description: string): Parameter<T> {
  return {
    schema: { ...kind.schema, default: fallback },
    description,
    required: false,
    read: (value, name) => (isAbsent(value) ? fallback : kind.parse(value, name)),
  };
}

/**
 * Reads all parameters of a method in the order of its definition, so that the first wrong one is named.
 * Fields that the method does not know are ignored.
 * @throws InvalidRequest
 */
export function readParameters<P extends Parameters>(parameters: P, input: JsonObject): Values<P> {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    values[name] = parameter.read(Object.hasOwn(input, name) ? input[name] : undefined, name);
  }
  return values as Values<P>;
}
