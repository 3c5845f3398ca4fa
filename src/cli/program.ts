import type { Command } from 'commander';
import { PACKAGE_VERSION } from '../platform/config/package-version.ts';
import { printAnswer, printNotice } from '../platform/observability/terminal.ts';
import { CliCommand } from './cli-command.ts';
import { COMMANDS, type CommandEntry } from './commands.ts';

type Exit = (code: number) => void;

/** Prints words of all the other commands, so it takes the whole program. */
const COMPLETION: CommandEntry = {
  group: 'Administer',
  description: 'print a script that completes commands, flags and values in a shell',
  examples: [
    'completion bash > ~/.tonhouse-completion',
    'completion fish > ~/.config/fish/completions/tonhouse.fish',
  ],
  load: async () => {
    const { completionCommand } = await import('./commands/completion.ts');
    return completionCommand(() => createProgram(Object.keys(ENTRIES), () => {}));
  },
};

const ENTRIES: Readonly<Record<string, CommandEntry>> = { ...COMMANDS, completion: COMPLETION };

/** The command line of tonhouse. Only the commands that `argv` names have their flags and actions. */
export async function createProgram(argv: readonly string[], exit: Exit): Promise<Command> {
  const program = new CliCommand('tonhouse')
    .description(
      'The TON blockchain as typed events in ClickHouse, with the TON Center v2 and v3 HTTP APIs on top.',
    )
    .version(PACKAGE_VERSION, '-V, --version', 'print the version')
    .option('--debug', 'print stack traces of errors')
    .helpOption('-h, --help', 'show help')
    .commandsGroup('Administer:')
    .helpCommand('help [COMMAND]', 'show help of a command')
    .exitOverride()
    .showHelpAfterError('(try --help)');
  const commands = await Promise.all(
    Object.entries(ENTRIES).map(([name, entry]) => createCommand(name, entry, { argv, exit })),
  );
  return withOutput(commands.reduce((all, command) => all.addCommand(command), program));
}

/** Usage errors repeat arguments, so commander writes to the terminal as everything else does. */
function withOutput(command: Command): Command {
  command.configureOutput({ writeOut: printAnswer, writeErr: printNotice }).commands.map(withOutput);
  return command;
}

async function createCommand(
  name: string,
  { group, description, examples, load }: CommandEntry,
  { argv, exit }: { readonly argv: readonly string[]; readonly exit: Exit },
): Promise<Command> {
  const command = new CliCommand(name)
    .description(description)
    .helpOption('-h, --help', 'show help')
    .helpGroup(`${group}:`)
    .exitOverride();
  if (!argv.includes(name)) return command;
  (await load())(command, exit);
  return command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((line) => `  tonhouse ${line}`).join('\n')}`,
  );
}
