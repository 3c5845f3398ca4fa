/** The programs of examples/, as examples/README.md says: on a local chain that `tonhouse up` runs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const TO = `0:${'5'.repeat(64)}`;
/** Another receiver, whose only transactions are those of its test. */
const FUNDED = `0:${'6'.repeat(64)}`;

describe('examples', { timeout: 600_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-examples-'));
  const data = join(directory, 'data');
  const running: ChildProcess[] = [];
  let up: Awaited<ReturnType<typeof startUp>>;

  beforeAll(async () => {
    up = await startUp(['--data', data, '--deliver-hooks']);
  }, 600_000);
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  afterAll(async () => {
    await up.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  function start(name: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [join(EXAMPLES, name), ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(child);
    const printed: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (part: string) => printed.push(part));
    const lines = () => printed.join('').split('\n').slice(0, -1);
    return { child, lines, output: text(child.stdout) };
  }
  const fund = async (amount: string) => {
    const { code, stdout, stderr } = await runCli(['localnet', 'fund', FUNDED, amount, '--data', data]);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  /** A line of the log of `up`, for example with the keys of a wallet. */
  const logged = (name: string) =>
    (up.text.stdout + up.text.stderr)
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, string>)
      .find(({ msg }) => msg?.endsWith(name))!;

  it('are all in this test and in their README', () => {
    const programs = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
    const here = readFileSync(import.meta.filename, 'utf8');
    const readme = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');
    expect(programs.length).toBe(4);
    expect(programs.filter((name) => !here.includes(`'${name}'`) || !readme.includes(`(${name})`))).toEqual(
      [],
    );
  });

  it('query-sql.ts prints rows of the store', async () => {
    const sql = 'SELECT count() > 0 AS has_rows FROM localnet_base_v1.transactions';
    await expect
      .poll(() => start('query-sql.ts', [sql, data]).output, { interval: 500 })
      .toMatch(/^\{"has_rows":(1|true)\}\n$/);
    const refused = start('query-sql.ts', ['DROP DATABASE localnet_base_v1', data]);
    await refused.output;
    expect(await up.range()).toBeDefined();
  });

  it('send-jettons.ts sends jettons with @ton/ton', async () => {
    const faucet = logged('faucet');
    const jetton = logged('jetton');
    // A busy machine refuses get methods until its first thread has started.
    const method = { address: jetton.address, method: 'get_jetton_data', stack: [] };
    const call = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(method),
    };
    await expect.poll(async () => (await fetch(`${up.url}/api/v3/runGetMethod`, call)).status).toBe(200);
    const { output } = start('send-jettons.ts', [faucet.secret_key!, jetton.address!, TO, up.url]);
    expect(await output).toBe(`${TO} has 5000000000 of ${jetton.address}\n`);
  });

  it('resume-stream.ts misses and repeats nothing after a restart', async () => {
    const file = join(directory, 'last-event-id');
    const args = [FUNDED, up.url, file];
    const first = start('resume-stream.ts', args);
    await expect.poll(() => existsSync(file)).toBe(true);
    await fund('1');
    await expect.poll(() => first.lines().length).toBe(1);
    first.child.kill('SIGKILL');
    await first.output;
    await fund('2');
    const second = start('resume-stream.ts', args);
    await expect.poll(() => second.lines().length).toBe(1);
    await fund('3');
    await expect.poll(() => second.lines().length).toBe(2);
    const all = [...first.lines(), ...second.lines()];
    expect(new Set(all).size).toBe(3);
  });

  it('receive-webhooks.ts prints deliveries that are signed', async () => {
    const probe = start('receive-webhooks.ts', ['0'], { SECRET: 'whsec_AAAA' });
    await expect.poll(() => probe.lines()[0]).toMatch(/^listening/);
    const port = /port: (\d+)/.exec(probe.lines()[0]!)![1]!;
    const unsigned = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(401);
    probe.child.kill('SIGKILL');
    await probe.output;

    const filter = JSON.stringify({ types: ['transactions'], addresses: [FUNDED] });
    const target = `http://127.0.0.1:${port}/`;
    const add = ['hooks', 'add', target, '--allow-private', '--filter', filter, '--data', data];
    const { stdout } = await runCli(add);
    const [, secret] = stdout.trim().split(' ');
    const receiver = start('receive-webhooks.ts', [port], { SECRET: secret! });
    await expect.poll(() => receiver.lines()[0]).toMatch(/^listening/);
    const delivered = async () => {
      await fund('1');
      return receiver.lines().length;
    };
    await expect.poll(delivered, { interval: 2_000 }).toBeGreaterThan(1);
    expect(receiver.lines()[1]).toMatch(/"type":"transactions"/);
  });
});
