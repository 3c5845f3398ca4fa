import { setTimeout as sleep } from 'node:timers/promises';
import { startCli } from './run-cli.ts';

/** A running `tonhouse up` that has answered masterchainInfo; the caller stops it. */
export async function startUp(args: readonly string[]) {
  const up = startCli(['up', '--port', '0', '--log-format', 'json', ...args]);
  const url = await until(async () => /"url":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1]);
  /** First and last masterchain seqno that the API shows; undefined before the first answer. */
  const range = async () => {
    const answer = await fetch(`${url}/api/v3/masterchainInfo`).catch(() => null);
    if (!answer?.ok) return undefined;
    const { first, last } = (await answer.json()) as Record<'first' | 'last', { readonly seqno: number }>;
    return { first: first.seqno, last: last.seqno };
  };
  await until(range);
  /** Transactions per second that the local chain generates from now on: 0 once a test has what it reads. */
  const setTraffic = async (perSecond: number) => {
    const { status } = await fetch(`${url}/localnet/traffic`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ per_second: perSecond }),
    });
    if (status !== 200) throw new Error(`/localnet/traffic: expected status 200, found ${status}`);
  };
  const stop = async () => {
    up.child.kill('SIGTERM');
    const { code } = await up.ended;
    if (code !== 0) throw new Error(`up ended with ${code}: ${up.text.stderr}`);
  };
  return { url, range, setTraffic, stop, text: up.text };

  async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await ask();
      if (found !== undefined) return found;
      if (up.child.exitCode !== null) throw new Error(`up ended: ${up.text.stderr}`);
      await sleep(100);
    }
  }
}
