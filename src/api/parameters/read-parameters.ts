import type { JsonValue } from '../http/json-source.ts';
import { ValueError, type ValueProblem } from './form.ts';
import type { Parameter, Parameters, ParameterValues } from './parameter.ts';

/** The values of a parameter as sent, at least one, and the spelling of its name. */
export interface Sent {
  readonly name: string;
  readonly values: readonly JsonValue[];
}

/** A problem with the parameter that was sent under a name. */
export interface NamedProblem {
  readonly name: string;
  readonly problem: ValueProblem;
}

/** Differences between the generations of the API. */
export interface Generation {
  /** Values that were sent under one of the names; null: the parameter is absent. */
  find(names: readonly string[]): Sent | null;
  /** The failure of a request with these problems, at least one, in the order of the definition. */
  failure(problems: readonly NamedProblem[]): Error;
}

/**
 * Reads all parameters of an endpoint. Names that the endpoint does not know are ignored.
 * @throws the generation's failure
 */
export function readParameters<P extends Parameters>(
  definition: P,
  generation: Generation,
): ParameterValues<P> {
  const values: Record<string, unknown> = {};
  const problems: NamedProblem[] = [];
  for (const [name, parameter] of Object.entries(definition)) {
    const sent = generation.find([name, ...(parameter.aliases ?? [])]);
    try {
      values[name] = readOne(parameter, sent);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      problems.push({ name: sent?.name ?? name, problem: error.problem });
    }
  }
  if (problems.length > 0) throw generation.failure(problems);
  return values as ParameterValues<P>;
}

function readOne<T>(parameter: Parameter<T>, sent: Sent | null): T {
  if (sent) return parameter.read(sent.values);
  if (parameter.required) throw new ValueError({ kind: 'missing', text: parameter.required.text });
  return parameter.absent;
}
