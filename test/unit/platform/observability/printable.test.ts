/* Text of strangers, such as names of files, in logs and on terminals. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { errorText } from '../../../../src/platform/observability/error-text.ts';
import { printable, printableLines } from '../../../../src/platform/observability/printable.ts';
import { runCli } from '../../../helpers/run-cli.ts';

const FOLDER = join(import.meta.dirname, '../../../../src/platform/observability');
/** Clears the screen, sets the title, starts a line, a C1 sequence, reverses text, hides text. */
const EVIL = 'a\u001b[2J\u001b]0;t\u0007\r\nerror forged\u009b31m\u202egnp.\u200b\u2028\u007f\u{e0041}z é 🦄';
const SAFE =
  'a\\u001b[2J\\u001b]0;t\\u0007\\u000d\\u000aerror forged\\u009b31m\\u202egnp.\\u200b\\u2028\\u007f\\udb40\\udc41z é 🦄';
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** Runs a module that has EVIL in its environment; what it wrote to stderr. */
function stderrOf(code: string): string {
  const run = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', `const { EVIL } = process.env;\n${code}`],
    {
      env: { ...process.env, EVIL },
      encoding: 'utf8',
      cwd: FOLDER,
    },
  );
  expect(run.status, run.stderr).toBe(0);
  return run.stderr;
}

describe('control characters of strangers', () => {
  it('are escaped as in JSON, and other text remains', () => {
    expect(printable(EVIL)).toBe(SAFE);
    expect(JSON.parse(`"${SAFE}"`)).toBe(EVIL);
    expect(printableLines('one\ntwo\r\n')).toBe('one\ntwo\\u000d\n');
  });

  it('do not reach a plain log line', () => {
    const code = `(await import('./log.ts')).createLog('info', 'plain').warn(
      { file: EVIL, list: [EVIL], error: new Error(EVIL) }, 'skipped ' + EVIL);`;
    const [line, ...rest] = stderrOf(code).split('\n');
    expect(rest).toEqual(['']);
    expect(line).not.toMatch(RAW);
    expect(line).toContain(`file=${SAFE} `);
  });

  it('do not reach a JSON log line, whose values remain', () => {
    const code = `(await import('./log.ts')).createLog('info', 'json').warn(
      { file: EVIL, [EVIL]: 1, error: new Error(EVIL) }, EVIL);`;
    const [line, ...rest] = stderrOf(code).split('\n');
    expect(rest).toEqual(['']);
    expect(line).not.toMatch(RAW);
    expect(JSON.parse(line ?? '')).toMatchObject({
      file: EVIL,
      [EVIL]: 1,
      msg: EVIL,
      error: { message: EVIL },
    });
  });

  it('do not reach the lines and bars of progress', () => {
    const code = (terminal: boolean) => `Object.assign(process.stderr, { isTTY: ${terminal}, columns: 900 });
      const bar = (await import('./progress.ts')).createProgress(EVIL, ${terminal});
      bar.update(1, 2, EVIL); bar.update(2, 2, EVIL); bar.stop();`;
    const bar = stderrOf(code(true));
    expect(bar).toContain(SAFE);
    for (const text of ['\u0007', '\u001b[2J', '\u009b', '\u202e', '\u2028', '\nerror'])
      expect(bar.includes(text)).toBe(false);
    expect(stderrOf(code(false)).split('\n')).toEqual([`${SAFE}: 1/2 ${SAFE}`, `${SAFE}: 2/2 ${SAFE}`, '']);
  });

  it('do not start lines in the text of an error', () => {
    const details = ['output of a process', EVIL];
    const error = Object.assign(new Error(EVIL, { cause: new Error(EVIL) }), { details });
    expect(errorText(error, false)).toBe(
      `Error: ${SAFE}\n  output of a process\n  ${SAFE}\n  because Error: ${SAFE}\n`,
    );
    const lines = errorText(error, true).split('\n');
    expect(lines.slice(4, -1).every((line) => line.startsWith('    at ') && !RAW.test(line))).toBe(true);
    expect(errorText(EVIL, false)).toBe(`error: ${SAFE}\n`);
  });

  it('do not reach the terminal by errors of the command line', async () => {
    const [failed, refused] = await Promise.all([
      runCli(['status', '--data', `/dev/null/${EVIL}`]),
      runCli(['status', '--\u001b[2J\u202e']),
    ]);
    expect(failed.code).not.toBe(0);
    expect(failed.stderr).toContain(SAFE);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('--\\u001b[2J\\u202e');
    for (const { stdout, stderr } of [failed, refused])
      for (const line of (stdout + stderr).split('\n')) expect(line).not.toMatch(RAW);
  });
});
