import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/commands.ts';
import { SETTINGS } from '../../src/platform/config/settings.ts';
import { runCli } from '../helpers/run-cli.ts';

const root = mkdtempSync(join(tmpdir(), 'tonhouse-completion-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const script = join(root, 'completion.bash');

/** Calls the completion function as bash does when TAB is pressed after the last word. */
const PRESS_TAB = `source "$1"; shift
name=$(complete -p tonhouse | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
"$name" tonhouse "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;

function complete(...words: string[]): string[] {
  const run = spawnSync('bash', ['--norc', '-c', PRESS_TAB, 'bash', script, 'tonhouse', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(run.stderr).toBe('');
  return run.stdout.split('\n').filter((line) => line !== '');
}

beforeAll(async () => {
  const { code, stdout, stderr } = await runCli(['completion', 'bash']);
  expect([code, stderr]).toEqual([0, '']);
  writeFileSync(script, stdout);
  mkdirSync(join(root, 'a folder'));
  writeFileSync(join(root, 'a file'), '');
});

describe('completion in bash', () => {
  it('completes all commands, and those below', () => {
    expect(complete('')).toEqual(expect.arrayContaining([...Object.keys(COMMANDS), 'completion', 'help']));
    expect(complete('s')).toEqual(['serve', 'status', 'sql-users']);
    expect(complete('keys', '')).toEqual(['create', 'list', 'revoke', 'help']);
    expect(complete('metadata', 'mintless', 's')).toEqual(['set']);
    expect(complete('help', '')).toEqual([]);
  });

  it('completes the flags of the command, without former ones', () => {
    expect(complete('--')).toEqual(['--version', '--debug', '--help']);
    expect(complete('up', '--clickhouse-u')).toEqual([
      '--clickhouse-url',
      '--clickhouse-user',
      '--clickhouse-unresponsive-ms',
    ]);
    const former = Object.values(SETTINGS).flatMap((one) => ('former' in one ? one.former : []));
    const shown = complete('up', '--');
    expect(shown.length).toBeGreaterThan(60);
    expect(former.filter((flag) => shown.includes(`--${flag}`))).toEqual([]);
    expect(complete('keys', 'create', '--rat')).toEqual(['--rate']);
    expect(complete('keys', '--r')).toEqual([]);
  });

  it('completes values with a fixed set of choices', () => {
    expect(complete('up', '--verify-level', '')).toEqual(['auto', 'none', 'file', 'tx', 'root']);
    expect(complete('up', '--log-level', 'd')).toEqual(['debug']);
    // Bash splits at the equals sign.
    expect(complete('up', '--log-level', '=', 'd')).toEqual(['debug']);
    expect(complete('up', '--log-level', '=')).toEqual(['trace', 'debug', 'info', 'warn', 'error']);
    expect(complete('diff', 'a')).toEqual(['activity', 'actions']);
    expect(complete('replay', '')).toEqual(
      expect.arrayContaining([
        'rollback',
        'prune',
        'base',
        'activity',
        'contracts',
        'detections',
        'traces',
        'actions',
        'lake',
      ]),
    );
    expect(complete('replay', 'rollback', 'tr')).toEqual(['traces']);
    expect(complete('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('completes files and folders, with spaces in their names', () => {
    expect(complete('up', '--data', 'a')).toEqual(['a folder']);
    expect(complete('up', '--config', 'a').sort()).toEqual(['a file', 'a folder']);
    expect(complete('index', 'a').sort()).toEqual(['a file', 'a folder']);
  });

  it('offers nothing for other values, and does not take a value for a command', () => {
    expect(complete('up', '--port', '')).toEqual([]);
    expect(complete('--debug', 'keys', 'l')).toEqual(['list']);
    expect(complete('serve', '--data', 'keys', '--por')).toEqual(['--port']);
    expect(complete('serve', '--data', '=', 'keys', '--por')).toEqual(['--port']);
  });
});

describe('examples of --help', () => {
  const lines = Object.entries(COMMANDS).flatMap(([name, { examples }]) =>
    examples.map((line) => [name, line] as const),
  );

  it.each(lines)('%s: "%s" names commands and flags that exist', (name, line) => {
    const words = line.split(' ');
    expect(words[0]).toBe(name);
    const flags = words.filter((word) => word.startsWith('--'));
    const known = flags.map((flag) => complete(...words.slice(0, words.indexOf(flag)), flag)[0]);
    expect(known).toEqual(flags);
    const isGroup = ['keys', 'hooks', 'metadata', 'localnet', 'dead-letters'].includes(name);
    if (isGroup) expect(complete(name, '')).toContain(words[1]);
  });
});

describe('completion in other shells', () => {
  it('zsh runs the script of bash', async () => {
    const bash = (await runCli(['completion', 'bash'])).stdout;
    const { stdout } = await runCli(['completion', 'zsh']);
    expect(stdout).toBe(`#compdef tonhouse\nautoload -U +X bashcompinit && bashcompinit\n${bash}`);
  });

  it('fish has a line for each command and flag', async () => {
    const { code, stdout } = await runCli(['completion', 'fish']);
    expect(code).toBe(0);
    for (const name of Object.keys(COMMANDS)) expect(stdout).toMatch(new RegExp(` -a ${name} -d '`));
    for (const { flag } of Object.values(SETTINGS)) expect(stdout).toContain(` -l ${flag} `);
    expect(stdout).toMatch(/from up' -l verify-level -r -f -a 'auto none file tx root' -d '/);
    expect(stdout).not.toContain('rest-ms');
  });

  it('refuses another shell', async () => {
    const { code, stderr } = await runCli(['completion', 'csh']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish')]);
  });
});
