/** The questions of analysts and Grafana's dashboards, over a local chain with traffic. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readQuestions } from '../../scripts/questions/read-questions.ts';
import { pollFor } from '../../src/platform/retry/poll.ts';
import { startPrometheus } from '../helpers/prometheus-server.ts';
import { startUp } from '../helpers/started-up.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly rawSql?: string; readonly expr?: string }[];
  }[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] };
}

const questions = readQuestions();
const root = mkdtempSync(join(tmpdir(), 'tonhouse-questions-'));
let up: Awaited<ReturnType<typeof startUp>>;
let sql: string;
let parameters: Readonly<Record<string, string>>;

const dashboard = (name: string) =>
  JSON.parse(readFileSync(`grafana/dashboards/${name}.json`, 'utf8')) as Dashboard;

async function ask(statement: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
  const query = new URLSearchParams({ wait_end_of_query: '1' });
  for (const [name, value] of Object.entries(values)) query.set(`param_${name}`, value);
  const answer = await fetch(`${sql}/?${query}`, { method: 'POST', body: statement });
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  return text.trim();
}
/** Tables with rows that the local chain fills after a while. */
const AWAITED = [
  'jetton_events',
  'jetton_metadata_latest',
  'dns_records',
  'dex_trades',
  "nft_events WHERE type = 'sale'",
  "nft_events WHERE type = 'bid'",
];

beforeAll(async () => {
  up = await startUp([
    ...['--data', join(root, 'data'), '--traffic', '40', '--block-ms', '2000', '--sql-port', '0'],
  ]);
  sql = /"sql":"(http:[^"]+)"/.exec(up.text.stdout + up.text.stderr)?.[1] ?? '';
  const counts = AWAITED.map((table) => `(SELECT count() FROM ${table})`).join(', ');
  const isFilled = async () => (await ask(`SELECT least(${counts})`).catch(() => '0')) !== '0';
  if (!(await pollFor(isFilled, 300_000, { everyMs: 1_000 })))
    throw new Error(`no rows in ${AWAITED.join(', ')}`);
  parameters = {
    from: await ask('SELECT min(block_date) FROM blocks'),
    to: await ask('SELECT max(block_date) FROM blocks'),
    address: await ask(
      "SELECT source FROM messages WHERE direction = 'in' AND source IS NOT NULL GROUP BY source ORDER BY count() DESC LIMIT 1",
    ),
    jetton: await ask('SELECT any(jetton_master) FROM jetton_events'),
  };
  await up.setTraffic(0);
}, 600_000);
afterAll(async () => {
  await up?.stop();
  rmSync(root, { recursive: true, force: true });
});

describe('a question', () => {
  it.each(questions.map((one) => [one.name, one] as const))('%s', async (_name, question) => {
    const { sql: statement, isEmptyLocally } = question;
    const answer = await ask(statement, parameters);
    if (!isEmptyLocally) expect(answer).not.toBe('');
  });
});

describe('the dashboard of the chain', () => {
  /** A statement as Grafana sends it. */
  const filled = (text: string) =>
    text
      .replaceAll('$__fromTime', `toDateTime('${parameters.from} 00:00:00')`)
      .replaceAll('$__toTime', `toDateTime('${parameters.to} 00:00:00')`)
      .replaceAll('$address', parameters.address ?? '')
      .replaceAll('$jetton', parameters.jetton ?? '');

  it('has a panel for each question, whose statement the server answers', async () => {
    const { panels } = dashboard('chain');
    expect(panels.map(({ title }) => title)).toEqual(
      questions.map(({ number, title }) => `${number}. ${title}`),
    );
    for (const [i, { targets }] of panels.entries()) {
      const { isEmptyLocally } = questions[i]!;
      const answer = await ask(filled(targets[0]?.rawSql ?? ''));
      if (!isEmptyLocally) expect([i, answer]).not.toEqual([i, '']);
    }
  });

  it('has values for its variables', async () => {
    for (const { name, query } of dashboard('chain').templating.list)
      expect([name, await ask(query)]).not.toEqual([name, '']);
  });
});

it('Prometheus answers every expression of the dashboard of the pipeline', async (context) => {
  const prometheus = await startPrometheus(root, new URL(up.url).host);
  if (!prometheus) return context.skip('prometheus cannot be installed');
  try {
    await fetch(`${up.url}/api/v3/masterchainInfo`);
    const expressions = dashboard('pipeline').panels.map(({ targets }) => targets[0]?.expr ?? '');
    expect(expressions.length).toBeGreaterThan(10);
    for (const expr of expressions) {
      const isAnswered = async () => (await prometheus.countSeries(expr)) > 0;
      expect([expr, await pollFor(isAnswered, 60_000, { everyMs: 500 })]).toEqual([expr, true]);
    }
  } finally {
    await prometheus.stop();
  }
});
