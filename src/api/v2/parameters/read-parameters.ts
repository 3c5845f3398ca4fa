import type { JsonObject, JsonValue } from '../../http/json-source.ts';
import type { Parameters, ParameterValues } from '../../parameters/parameter.ts';
import { type NamedProblem, readParameters as read } from '../../parameters/read-parameters.ts';
import { InvalidRequest } from '../errors.ts';

/**
 * Reads the parameters of a method; the first wrong one, in the order of the definition, is named.
 * @throws InvalidRequest
 */
export function readParameters<P extends Parameters>(parameters: P, input: JsonObject): ParameterValues<P> {
  return read(parameters, {
    find([name = '']) {
      const value = Object.hasOwn(input, name) ? input[name] : undefined;
      return isAbsent(value) ? null : { name, values: [value] };
    },
    failure: ([first]) => invalidRequest(first as NamedProblem),
  });
}

/** Null and the empty text count as absent: clients send both for "not given". */
function isAbsent(value: JsonValue | undefined): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function invalidRequest({ name, problem }: NamedProblem): InvalidRequest {
  if (problem.kind === 'missing') return new InvalidRequest(problem.text ?? `${name} required`);
  if (problem.kind === 'bound') return new InvalidRequest(`${name} ${problem.rule}`);
  if (problem.kind === 'too-many')
    return new InvalidRequest(problem.text ?? `${name} should have at most ${problem.most} values`);
  return new InvalidRequest(`failed to parse ${name}`);
}
