import { HttpError } from '../../http/http-error.ts';
import type { SentParameter, SentParameters } from '../../http/query-string.ts';
import {
  ListTooLongError,
  type Parameter,
  ParameterError,
  type Parameters,
  type ParameterValues,
} from './parameter.ts';

/** Reads all parameters of an endpoint; every value that is not understood is counted in one 422. */
export function readParameters<P extends Parameters>(
  definition: P,
  sent: SentParameters,
): ParameterValues<P> {
  const values: Record<string, unknown> = {};
  const errors: string[] = [];
  for (const [name, parameter] of Object.entries(definition)) {
    const found = sentUnder([name, ...(parameter.aliases ?? [])], sent);
    values[name] = found ? readOne(parameter, found, errors) : parameter.absent;
  }
  if (errors.length > 0) throw new HttpError(422, `failed to decode: ${summary(errors)}`);
  return values as ParameterValues<P>;
}

function sentUnder(names: readonly string[], sent: SentParameters): SentParameter | undefined {
  for (const name of names) {
    const found = sent.get(name.toLowerCase());
    if (found) return found;
  }
  return undefined;
}

function readOne(parameter: Parameter<unknown>, sent: SentParameter, errors: string[]): unknown {
  try {
    return parameter.read(sent.values);
  } catch (error) {
    if (error instanceof ListTooLongError)
      throw new HttpError(422, `${sent.name} list exceeds maximum length of ${error.most}`);
    if (!(error instanceof ParameterError)) throw error;
    const place = error.index === null ? '' : `index ${error.index} of `;
    errors.push(`schema: error converting value for ${place}"${sent.name}"`);
    return parameter.absent;
  }
}

/** The first error, and how many more there are (v3-endpoints.md 1.4). */
function summary(errors: readonly string[]): string {
  const more = errors.length - 1;
  if (more === 0) return `${errors[0]}`;
  return `${errors[0]} (and ${more} other error${more === 1 ? '' : 's'})`;
}
