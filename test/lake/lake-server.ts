import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../helpers/run-cli.ts';
import { startUp } from '../helpers/started-up.ts';

/** A row by its column names. Wide integers are text. */
export type Row = Readonly<Record<string, unknown>>;

/** A value of the stack: a number as text, or a cell or slice as base64. */
export interface Entry {
  readonly type: string;
  readonly value: unknown;
}

/** A server over an index that does not change. */
export interface LakeServer {
  ask(sql: string): Promise<readonly Row[]>;
  /** An answer of `/api/v3`. */
  get(path: string): Promise<Record<string, unknown>>;
  runGetMethod(address: string, method: string): Promise<readonly Entry[]>;
  /** The stack after a masterchain block; null if the method fails there. */
  runGetMethodAt(address: string, method: string, seqno: number): Promise<readonly Entry[] | null>;
  stop(): Promise<void>;
}

/**
 * Sends a request that changes nothing. On a busy machine the server may have just closed the connection, or cut off a query: it is sent
 * again.
 */
async function request(url: string, init?: RequestInit): Promise<Response> {
  const ATTEMPTS = 10;
  for (let attempt = 1; ; attempt++)
    try {
      const answer = await fetch(url, init);
      if (answer.status < 500 || attempt === ATTEMPTS) return answer;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
}

/** Indexes a source into a temporary folder and serves it. `options` of the index: zerostates, the network's label. */
export async function serveSource(source: string, options: readonly string[] = []): Promise<LakeServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-lake-'));
  const data = join(folder, 'data');
  const { code, stderr } = await runCli(['index', source, ...options, '--data', data]);
  if (code !== 0) throw new Error(`index ${source}: ${stderr}`);
  const up = await startUp(['--data', data, '--sql-port', '0', '--source', source, ...options]);
  const sql = /"sql":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  const json = async (answer: Response) => {
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${text}`);
    return text;
  };
  return {
    ask: async (statement) => {
      const body = `${statement} FORMAT JSONEachRow SETTINGS output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1`;
      const text = await json(await request(sql, { method: 'POST', body }));
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Row);
    },
    get: async (path) =>
      JSON.parse(await json(await request(`${up.url}/api/v3/${path}`))) as Record<string, unknown>,
    runGetMethod: async (address, method) => {
      const body = JSON.stringify({ address, method, stack: [] });
      const headers = { 'content-type': 'application/json' };
      const answer = await request(`${up.url}/api/v3/runGetMethod`, { method: 'POST', headers, body });
      return (JSON.parse(await json(answer)) as { stack: { type: string; value: unknown }[] }).stack;
    },
    runGetMethodAt: async (address, method, seqno) => {
      const body = JSON.stringify({ address, method, stack: [], seqno });
      const headers = { 'content-type': 'application/json' };
      const answer = await request(`${up.url}/api/v2/runGetMethod`, { method: 'POST', headers, body });
      const { result } = JSON.parse(await json(answer)) as {
        result: { exit_code: number; stack: readonly [string, unknown][] };
      };
      if (result.exit_code !== 0) return null;
      return result.stack.map(([type, value]) => ({
        type,
        value: type === 'cell' ? (value as { bytes: string }).bytes : value,
      }));
    },
    stop: async () => {
      await up.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
