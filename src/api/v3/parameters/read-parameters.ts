import { HttpError } from '../../http/errors/http-error.ts';
import type { SentParameters } from '../../http/query-string.ts';
import type { Parameters, ParameterValues } from '../../parameters/parameter.ts';
import { type NamedProblem, readParameters as read } from '../../parameters/read-parameters.ts';

/** Reads all parameters of an endpoint; every value that is not understood is counted in one 422. @throws HttpError */
export function readParameters<P extends Parameters>(
  definition: P,
  sent: SentParameters,
): ParameterValues<P> {
  return read(definition, {
    find(names) {
      const name = names.find((one) => sent.has(one.toLowerCase()));
      return name === undefined ? null : (sent.get(name.toLowerCase()) ?? null);
    },
    failure,
  });
}

/** A list that is too long is reported separately. */
function failure(problems: readonly NamedProblem[]): HttpError {
  for (const { name, problem } of problems)
    if (problem.kind === 'too-many')
      return new HttpError(422, problem.text ?? `${name} list exceeds maximum length of ${problem.most}`);
  return new HttpError(422, `failed to decode: ${summary(problems.map(toText))}`);
}

function toText({ name, problem }: NamedProblem): string {
  const index = problem.kind === 'unreadable' ? problem.index : null;
  const place = index === null ? '' : `index ${index} of `;
  return `schema: error converting value for ${place}"${name}"`;
}

/** The first error, and how many more there are (v3-endpoints.md 1.4). */
function summary(errors: readonly string[]): string {
  const more = errors.length - 1;
  if (more === 0) return `${errors[0]}`;
  return `${errors[0]} (and ${more} other error${more === 1 ? '' : 's'})`;
}
