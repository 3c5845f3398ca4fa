import { describe, expect, it } from 'vitest';
import { CliCommand } from '../../../src/cli/cli-command.ts';

const MASTER = `-1:${'3'.repeat(64)}`;

/** What a command with a subcommand reads from a command line. */
function read(...args: string[]) {
  const seen: { values?: unknown; options?: unknown } = {};
  const program = new CliCommand('tonhouse').exitOverride().configureOutput({ writeErr: () => {} });
  program
    .command('localnet')
    .command('send <FROM> <TO>')
    .option('--comment <TEXT>')
    .option('--no-bounce')
    .exitOverride()
    .action((from: string, to: string, options: object) => {
      Object.assign(seen, { values: [from, to], options });
    });
  program.parse(['node', 'tonhouse', 'localnet', 'send', ...args]);
  return seen;
}

describe('a command', () => {
  it('takes raw addresses of the masterchain as values, before and after options', () => {
    const expected = { values: [MASTER, '0:1'], options: { bounce: false, comment: 'x' } };
    expect(read(MASTER, '0:1', '--comment', 'x', '--no-bounce')).toEqual(expected);
    expect(read('--comment', 'x', '--no-bounce', MASTER, '0:1')).toEqual(expected);
    expect(read('--no-bounce', MASTER, '--comment', 'x', '0:1')).toEqual(expected);
    expect(read(MASTER, MASTER).values).toEqual([MASTER, MASTER]);
  });

  it('takes one that is too short too, so that its reader can say what is wrong', () => {
    expect(read('-1:33', '0:1').values).toEqual(['-1:33', '0:1']);
  });

  it('leaves values of options alone', () => {
    expect(read('0:1', '0:2', '--comment', MASTER).options).toEqual({ bounce: true, comment: MASTER });
    expect(read('0:1', '0:2', `--comment=${MASTER}`).options).toEqual({ bounce: true, comment: MASTER });
  });

  it('still refuses options that it does not have', () => {
    expect(() => read('0:1', '0:2', '-1')).toThrow();
    expect(() => read('0:1', '0:2', '--amount', '1')).toThrow('--amount');
  });
});
