/** `/metrics` of a running `up`, and of a single stage, compared with the store and the other answers. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RunningMain, startMain } from '../helpers/run-main.ts';
import { type Scrape, scrape } from '../helpers/scrape.ts';

interface Page {
  readonly transactions: readonly { readonly mc_block_seqno: number }[];
  readonly next_cursor?: string;
}

/** Records of the log that are no blocks: the zerostates of the masterchain and the basechain. */
const START_STATES = 2;

describe('metrics of tonhouse up', { timeout: 600_000 }, () => {
  let root: string;
  let up: RunningMain;
  let url: string;

  const start = (...more: string[]) =>
    startMain([
      ...['up', '--data', join(root, 'data'), '--port', '0', '--log-format', 'json'],
      ...['--fast', '--traffic', '5', ...more],
    ]);
  const said = (name: string) =>
    new RegExp(`"${name}":"(http:[^"]+)"`).exec(up.text.stdout + up.text.stderr)?.[1];
  const get = (path: string) => fetch(`${url}${path}`, { signal: AbortSignal.timeout(20_000) });
  /** Transactions of the blocks up to one. By cursor: a busy machine has hundreds of blocks, a statement each takes minutes. */
  const transactionsUpTo = async (seqno: number) => {
    let count = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const answer = await get(
        `/api/v3/transactions?sort=asc&limit=1000&cursor=${encodeURIComponent(cursor)}`,
      );
      const page = (await answer.json()) as Page;
      const own = page.transactions.filter(({ mc_block_seqno: of }) => of <= seqno);
      count += own.length;
      cursor = own.length === 1_000 ? page.next_cursor : undefined;
    }
    return count;
  };
  const metrics = () => scrape(`${url}/metrics`);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'tonhouse-metrics-'));
    up = start();
    await vi.waitFor(
      async () => {
        url = said('url')!;
        expect((await metrics()).value('tonhouse_visible_last_seqno')).toBeGreaterThan(5);
      },
      { timeout: 240_000, interval: 200 },
    );
  }, 600_000);
  afterAll(async () => {
    up.child.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    rmSync(root, { recursive: true, force: true });
  });

  it('has the range and the lag that the API answers with', async () => {
    // A scrape leaves out what a busy store does not answer in time.
    const found = await vi.waitFor(
      async () => {
        const complete = await metrics();
        expect(complete.value('tonhouse_head_lag_seconds')).toBeGreaterThanOrEqual(0);
        expect(complete.value('tonhouse_dead_letters_open')).toBe(0);
        expect(complete.sum('tonhouse_lane_owned', { projection: 'base' })).toBe(8);
        return complete;
      },
      { timeout: 60_000, interval: 200 },
    );
    const health = (await (await get('/healthz')).json()) as { visible: { first: number; last: number } };
    expect(found.value('tonhouse_visible_first_seqno')).toBe(health.visible.first);
    expect(found.value('tonhouse_visible_last_seqno')).toBeLessThanOrEqual(health.visible.last);
    // How far the chain runs ahead is the machine's: but never by more than there is, blocks and start states.
    const appended = (await metrics()).value('tonhouse_captured_blocks_total')! + START_STATES;
    const lag = found.sum('tonhouse_lag_records', { projection: 'base', group: 'decode' });
    expect(lag).toBeGreaterThanOrEqual(0);
    expect(lag).toBeLessThanOrEqual(appended);
  });

  it('counts what was indexed as the store has it', async () => {
    const before = await metrics();
    const last = before.value('tonhouse_visible_last_seqno')!;
    const counted = (found: Scrape, name: string) =>
      found.value(`tonhouse_indexed_${name}_total`, { projection: 'base' })!;
    // Counted when it is confirmed, which is before it is visible; step 0 is the start state.
    expect(counted(before, 'steps')).toBeGreaterThanOrEqual(last);
    expect(counted(before, 'blocks')).toBeGreaterThanOrEqual(last);
    const stored = await transactionsUpTo(last);
    const after = await metrics();
    expect(stored).toBeGreaterThan(10);
    expect(counted(after, 'transactions')).toBeGreaterThanOrEqual(stored);
    expect(after.value('tonhouse_captured_blocks_total')).toBeGreaterThanOrEqual(counted(before, 'blocks'));
    const inserts = { projection: 'base', table: 'transactions' };
    expect(after.value('tonhouse_store_insert_duration_seconds_count', inserts)).toBeGreaterThan(0);
    const queries = { route: 'v3/transactions' };
    const pages = Math.ceil(stored / 1_000);
    expect(after.value('tonhouse_store_query_duration_seconds_count', queries)).toBeGreaterThanOrEqual(pages);
  });

  it('has the sizes of the log and of each table', async () => {
    await vi.waitFor(
      async () => {
        const found = await metrics();
        expect(found.value('tonhouse_log_bytes')).toBeGreaterThan(10_000);
        const rows = found.value('tonhouse_store_rows', { projection: 'base', table: 'blocks' });
        expect(rows).toBeGreaterThan(4);
        expect(found.sum('tonhouse_store_bytes', { projection: 'base' })).toBeGreaterThan(10_000);
      },
      { timeout: 240_000, interval: 1_000 },
    );
  });

  it('counts requests by route and status, never by what clients wrote', async () => {
    const route = '/api/v3/blocks';
    const before = await metrics();
    // A busy machine may answer that the index took too long: that counts by its status too.
    const ask = async (path: string) => {
      const answer = await get(path);
      await answer.text();
      return answer.status;
    };
    const read = await ask(`${route}?limit=1`);
    const asked = [
      [route, read, 1],
      [route, await ask(`${route}?limit=x`), 1],
      ['unmatched', await ask('/nothing/one?one=1'), 2],
    ] as const;
    await ask('/nothing/two?two=1');
    const after = await metrics();
    expect(asked.map(([, status]) => status)).toEqual([read, 422, 404]);
    for (const [path, status, times] of asked) {
      const labels = { route: path, status: `${status}` };
      const [from = 0, to = 0] = [before, after].map((one) =>
        one.value('tonhouse_http_requests_total', labels),
      );
      expect([path, status, to - from]).toEqual([path, status, times]);
    }
    const text = await (await get('/metrics')).text();
    expect(text).not.toContain('nothing');
    expect(text).toMatch(/tonhouse_http_request_duration_seconds_count\{route="\/api\/v3\/blocks"\} \d+/);
  });

  it('counts hits of the response cache, threads of contracts, and the process', async () => {
    const found = await metrics();
    const misses = found.value('tonhouse_response_cache_requests_total', { result: 'miss' });
    expect(misses).toBeGreaterThan(0);
    expect(found.value('tonhouse_tvm_calls', { state: 'waiting' })).toBe(0);
    expect(found.value('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
    expect(found.value('tonhouse_metrics_read_failures_total')).toBeUndefined();
  });

  it('has few series however much is asked', async () => {
    const series = async () => (await (await get('/metrics')).text()).split('\n').length;
    const before = await series();
    for (let i = 0; i < 50; i++) await (await get(`/api/v3/${i}?a=${i}`)).text();
    // A path with its own series would add a histogram, more than ten lines. Background work adds a few.
    expect((await series()) - before).toBeLessThan(50 * 10);
    // Each route of a statement has a histogram of 13 lines: some 60 of them after a start, more on a busy machine.
    expect(before).toBeLessThan(3_000);
  });

  it('shows them on their own port instead, if one is set', async () => {
    up.child.kill('SIGTERM');
    expect(await up.ended).toBe(0);
    up = start('--metrics-port', '0');
    await vi.waitFor(
      async () => {
        url = said('url')!;
        expect(url).toBeDefined();
        const apart = await scrape(said('metrics')!);
        expect(apart.value('tonhouse_visible_last_seqno')).toBeGreaterThan(0);
      },
      { timeout: 240_000, interval: 200 },
    );
    expect((await get('/metrics')).status).toBe(404);
    expect(await statusUnder('evil.example', said('metrics')!)).toBe(403);
    expect(await statusUnder('localhost', said('metrics')!)).toBe(200);
  });
});

describe('metrics of separate stages', { timeout: 600_000 }, () => {
  it('show how much of what capture appended decode confirmed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'tonhouse-stage-metrics-'));
    const common = ['--data', join(root, 'data'), '--metrics-port', '0', '--log-format', 'json'];
    const capture = startMain(['capture', 'localnet', '--fast', '--traffic', '5', ...common]);
    const decode = startMain(['decode', ...common]);
    onTestFinished(async () => {
      for (const { child } of [capture, decode]) child.kill('SIGTERM');
      await Promise.all([capture.ended, decode.ended]);
      rmSync(root, { recursive: true, force: true });
    });
    const of = ({ text }: RunningMain) => scrape(/"metrics":"(http:[^"]+)"/.exec(text.stderr)![1]!);
    await vi.waitFor(
      async () => {
        const [appended, confirmed] = [await of(capture), await of(decode)];
        const seqno = appended.value('tonhouse_captured_last_seqno')!;
        const steps = confirmed.value('tonhouse_indexed_steps_total', { projection: 'base' })!;
        expect(steps).toBeGreaterThan(5);
        expect(seqno).toBeGreaterThan(5);
        expect(confirmed.sum('tonhouse_lane_owned', { projection: 'base' })).toBeGreaterThan(0);
        expect(confirmed.value('tonhouse_log_bytes')).toBeGreaterThan(10_000);
      },
      { timeout: 240_000, interval: 500 },
    );
  });
});

/** Status of a GET under a name of the client's choice; `fetch` allows none. */
async function statusUnder(host: string, url: string): Promise<number | undefined> {
  const asked = request(url, { headers: { host } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}
