import { Argument } from 'commander';
import { PROJECTIONS } from '../../pipelines/projections.ts';

/** The argument with the name of a projection. Its names are for `--help` and completion: `projectionNamed` checks them. */
export function projectionArgument(usage: string, help: string): Argument {
  const argument = new Argument(usage, help);
  argument.argChoices = PROJECTIONS.map(({ name }) => name);
  return argument;
}
