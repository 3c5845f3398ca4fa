import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BagOfCells, LocalnetLiteserver } from './localnet.ts';

const POLL_MS = 20;

/**
 * Calls a command of the chain that runs in a data directory. Waits for a chain that makes no blocks yet: after a restart
 * the API answers first. @throws Error the chain refused the command
 */
export async function callChain<T>(data: string, command: string, request: object): Promise<T> {
  const address = JSON.parse(readFileSync(join(data, 'localnet/control.json'), 'utf8')) as {
    readonly port: number;
    readonly token: string;
  };
  const response = await fetch(`http://127.0.0.1:${address.port}/${command}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${address.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  if (response.status === 503) {
    await response.text();
    await sleep(POLL_MS);
    return callChain(data, command, request);
  }
  const answer = (await response.json()) as T & { readonly error?: string };
  if (answer.error !== undefined) throw new Error(`localnet ${command}: ${answer.error}`);
  return answer;
}

/** Answer to `snapshot` and `revert`. */
interface RequestedChange {
  readonly number: number;
  readonly id: string;
  readonly pid: number;
}

interface ChangeResult {
  readonly number: number;
  readonly error: string | null;
}

/**
 * Stores or reverts the chain of a data directory. Resolves to the id of the snapshot when the restarted process answers.
 * @throws Error the chain refused the command, continues without the change, or ended
 */
export async function changeChain(
  data: string,
  command: 'snapshot' | 'revert',
  request: object,
): Promise<string> {
  const { number, id, pid } = await callChain<RequestedChange>(data, command, request);
  for (;;) {
    const last = await readResult(data, pid);
    if (last !== null && last.number >= number) {
      if (last.number === number && last.error !== null)
        throw new Error(`localnet ${command}: ${id}: ${last.error}`);
      return id;
    }
    await sleep(POLL_MS);
  }
}

/** Result of the last change; null while the process restarts: connections are refused and cut. */
async function readResult(data: string, pid: number): Promise<ChangeResult | null> {
  try {
    return (await callChain<{ readonly last: ChangeResult | null }>(data, 'snapshots', {})).last;
  } catch (error) {
    // Throws if the process is gone.
    process.kill(pid, 0);
    if (error instanceof SyntaxError) throw error;
    return null;
  }
}

/** Resolves when the API serves a masterchain block. */
export async function waitUntilServed(url: string, seqno: number): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}/api/v3/masterchainInfo`);
    const { last } = (await response.json()) as { readonly last?: { readonly seqno: number } };
    if (last && last.seqno >= seqno) return;
    await sleep(POLL_MS);
  }
}

/** The lite server of a data directory. */
export function readLiteserver(data: string): LocalnetLiteserver {
  const config = join(data, 'liteserver/global.config.json');
  const { liteservers } = JSON.parse(readFileSync(config, 'utf8')) as {
    readonly liteservers: readonly [
      { readonly ip: number; readonly port: number; readonly id: { readonly key: string } },
    ];
  };
  const [{ ip, port, id }] = liteservers;
  const host = [24, 16, 8, 0].map((bits) => (ip >> bits) & 255).join('.');
  return { host, port, publicKey: id.key, config };
}

/** A bag of cells as commands take it. */
export function toText(bag: BagOfCells): string {
  return typeof bag === 'string' ? bag : Buffer.from(bag).toString('base64');
}

/** Nanotons of a bigint, or of TON as text. @throws Error */
export function toNanotons(amount: bigint | string): bigint {
  if (typeof amount === 'bigint') return amount;
  const [, whole, part = ''] = /^(\d{1,20})(?:\.(\d{1,9}))?$/.exec(amount) ?? [];
  if (whole === undefined) throw new Error(`amount: expected TON as '1' or '0.25', found '${amount}'`);
  return BigInt(whole + part.padEnd(9, '0'));
}
