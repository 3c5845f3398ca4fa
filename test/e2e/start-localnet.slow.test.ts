/** `startLocalnet` of tonhouse/testing, in the clone. `npm run test:package` runs it from the package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalnet } from '../../src/testing/testing.ts';
import { runCli } from '../helpers/run-cli.ts';

const TO = `0:${'5'.repeat(64)}`;

it('controls a chain; keys are those of `localnet accounts`', { timeout: 600_000 }, async () => {
  const chain = await startLocalnet();
  onTestFinished(() => chain.stop());
  const balance = async () => {
    const answer = await fetch(`${chain.apiV2}/getAddressBalance?address=${TO}`);
    return ((await answer.json()) as { readonly result: string }).result;
  };
  const { stdout } = await runCli(['localnet', 'accounts', '--json']);
  expect(JSON.parse(stdout)).toEqual(chain.accounts);
  expect(chain.accounts[0]).toMatchObject({ name: 'faucet', address: expect.stringMatching(/^0Q/) });
  expect(chain.liteserver.port).toBeGreaterThan(0);

  expect(await chain.fund(TO, '1.5', 'hello')).toMatch(/^[0-9a-f]{64}$/);
  expect(await balance()).toBe('1500000000');
  const id = await chain.snapshot();
  await chain.fund(TO, 2_000_000_000n);
  // The account pays for its storage, some nanotons.
  expect(Number(await balance())).toBeGreaterThan(3_499_000_000);
  await chain.revert(id);
  expect(await balance()).toBe('1500000000');
  const seqno = await chain.mine();
  expect((await chain.warp(3600)).seqno).toBeGreaterThan(seqno);
  await expect(chain.revert('snapshot-2')).rejects.toThrow('found snapshot-2');
  await expect(chain.fund('nobody', 1n)).rejects.toThrow('expected an address of workchain 0 or -1');
});

it('ends with the process that started it, also after a restart for a snapshot', {
  timeout: 600_000,
}, async () => {
  const module = join(import.meta.dirname, '../../src/testing/testing.ts');
  const script = `const { startLocalnet } = await import(${JSON.stringify(module)});
    const { url, snapshot } = await startLocalnet(); await snapshot();
    console.log(url); process.kill(process.pid, 'SIGKILL');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let url = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    url += text;
  });
  await once(child, 'close');
  expect(url).toMatch(/^http:/);
  await expect
    .poll(() =>
      fetch(url.trim()).then(
        () => 'answers',
        () => 'gone',
      ),
    )
    .toBe('gone');
});
