import { Argument, type Command } from 'commander';
import { SettingError } from '../../platform/config/setting.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { bashScript, zshScript } from '../completion/bash-script.ts';
import { type CommandWords, commandWords } from '../completion/command-words.ts';
import { fishScript } from '../completion/fish-script.ts';
import { EXIT } from '../exit-codes.ts';

const SHELLS: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `tonhouse completion SHELL`: prints a script that completes all commands of `program`. */
export function completionCommand(program: () => Promise<Command>) {
  return (command: Command, exit: (code: number) => void): void => {
    const shell = new Argument('<SHELL>', 'shell that runs the script');
    shell.argChoices = Object.keys(SHELLS);
    command.addArgument(shell).action(async (name: string) => {
      const script = Object.hasOwn(SHELLS, name) ? SHELLS[name] : undefined;
      if (!script)
        throw new SettingError('SHELL', {
          found: name,
          allowed: Object.keys(SHELLS).join(', '),
          origin: 'the arguments',
        });
      printAnswer(script(commandWords(await program())));
      exit(EXIT.ok);
    });
  };
}
