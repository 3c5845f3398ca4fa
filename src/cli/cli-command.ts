import { Command } from 'commander';

/** A raw address of the masterchain, such as `-1:3333…`, or what was meant as one. */
const MASTERCHAIN = /^-\d+:/;
/** No argument of a process has this character. */
const MARK = '\0';

/** A command that takes raw addresses of the masterchain as values. commander reads what begins with `-` as an option. */
export class CliCommand extends Command {
  override createCommand(name?: string): CliCommand {
    return new CliCommand(name);
  }

  override parseOptions(args: string[]) {
    const marked = args.map((arg, index) =>
      MASTERCHAIN.test(arg) && !this.takesValue(args[index - 1]) ? `${MARK}${arg}` : arg,
    );
    const { operands, unknown } = super.parseOptions(marked);
    return { operands: operands.map(unmark), unknown: unknown.map(unmark) };
  }

  /** True if the next argument is a value of this one, whatever it begins with. */
  private takesValue(arg = ''): boolean {
    return this.options.some(({ required, short, long }) => required && (arg === short || arg === long));
  }
}

function unmark(arg: string): string {
  return arg.startsWith(MARK) ? arg.slice(MARK.length) : arg;
}
