import { DataError } from '../../platform/errors/error-kinds.ts';

const MAX_SHOWN = 20;

/** What `--fork` names cannot be loaded. The message lists the problems with their files. */
export class ForkError extends DataError {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const more = problems.length - MAX_SHOWN;
    const shown = problems.slice(0, MAX_SHOWN).join('; ');
    super(`--fork: ${shown}${more > 0 ? `; and ${more} more problems` : ''}`);
    this.problems = problems;
  }
}
