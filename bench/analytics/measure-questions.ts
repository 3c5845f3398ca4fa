import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Question, readQuestions } from '../../scripts/questions/read-questions.ts';
import { startApi } from '../api/api-process.ts';
import { openBenchStore } from '../common/bench-store.ts';
import { createGeneratedIndex } from '../common/generated-index.ts';
import { note, quantile, round } from '../common/report.ts';
import { measurePeer, type PeerFigures } from './measure-peer.ts';

export interface AnalyticsOptions {
  readonly transactions: number;
  /** Data directory of an index; null: a chain is generated. */
  readonly data: string | null;
  readonly runs: number;
  /** True to ask PostgreSQL over the same rows, too. */
  readonly withPeer: boolean;
}

/** Figures of a question. */
export interface QuestionFigures {
  readonly question: string;
  /** Median time until the whole answer is here, ms; null if the statement failed. */
  readonly p50_ms: number | null;
  readonly rows_read: number;
  readonly rows: number;
  /** Why the statement failed, such as its time limit. */
  readonly error?: string;
  /** Of PostgreSQL 15 with the peer's schema, for questions that it can answer. */
  readonly postgres_p50_ms?: number;
  readonly postgres_rows?: number;
  /** PostgreSQL's time as a multiple of ours. */
  readonly ratio?: number;
}

export interface AnalyticsFigures {
  readonly transactions: number;
  readonly questions: readonly QuestionFigures[];
  /** Median of the ratios to PostgreSQL; null if it was not asked. */
  readonly postgres_ratio: number | null;
}

/** Asks every question under the limits of analysts, one after the other. */
export async function measureQuestions(options: AnalyticsOptions): Promise<AnalyticsFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  try {
    const { data } = options;
    const index = data === null ? await createGeneratedIndex(folder, options.transactions) : resolve(data);
    return await measureIndex(folder, index, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureIndex(
  folder: string,
  data: string,
  { runs, withPeer }: AnalyticsOptions,
): Promise<AnalyticsFigures> {
  // The server attaches to the store, which stays when it ends.
  const store = await openBenchStore(data);
  const api = await startApi(data, []);
  try {
    const ask = (sql: string, parameters = {}) => askOnce(`${api.url}/sql`, sql, parameters);
    const [transactions, to] = (await ask('SELECT count(), max(block_date) FROM transactions')).text.split(
      '\t',
    );
    const address = await ask(
      'SELECT source FROM messages WHERE source IS NOT NULL GROUP BY 1 ORDER BY count() DESC LIMIT 1',
    );
    const jetton = await ask('SELECT min(address) FROM jetton_metadata_latest');
    const from = (await ask(`SELECT toDate('${to}') - 30`)).text;
    const parameters = { from, to, address: address.text, jetton: jetton.text };
    const questions: QuestionFigures[] = [];
    for (const question of readQuestions()) {
      questions.push(await measureQuestion(question, runs, (sql) => ask(sql, parameters)));
      note(`${question.name}: ${questions.at(-1)?.p50_ms} ms`);
    }
    const names = questions.map(({ question }) => question);
    const peer = withPeer ? await measurePeer(folder, store, { names, runs, parameters }) : null;
    const compared = questions.map((figures) => compare(figures, peer?.get(figures.question)));
    const ratios = compared.flatMap(({ ratio }) => ratio ?? []).sort((a, b) => a - b);
    return {
      transactions: Number(transactions),
      questions: compared,
      postgres_ratio: ratios.length > 0 ? quantile(ratios, 0.5) : null,
    };
  } finally {
    await api.stop();
    await store.close();
  }
}

function compare(figures: QuestionFigures, peer: PeerFigures | undefined): QuestionFigures {
  if (!peer) return figures;
  const { p50_ms: own } = figures;
  const ratio = own === null ? {} : { ratio: round(peer.p50_ms / own, 1) };
  return { ...figures, postgres_p50_ms: peer.p50_ms, postgres_rows: peer.rows, ...ratio };
}

async function measureQuestion(
  { name, sql }: Question,
  runs: number,
  ask: (sql: string) => Promise<Answer>,
): Promise<QuestionFigures> {
  const times: number[] = [];
  let last: Answer | null = null;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    try {
      last = await ask(sql);
    } catch (error) {
      return {
        question: name,
        p50_ms: null,
        rows_read: 0,
        rows: 0,
        error: (error as Error).message.slice(0, 120),
      };
    }
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const rows = last?.text === '' ? 0 : (last?.text.split('\n').length ?? 0);
  return { question: name, p50_ms: round(quantile(times, 0.5), 1), rows_read: last?.rowsRead ?? 0, rows };
}

interface Answer {
  readonly text: string;
  readonly rowsRead: number;
}

async function askOnce(
  url: string,
  sql: string,
  parameters: Readonly<Record<string, string>>,
): Promise<Answer> {
  const query = new URLSearchParams({ wait_end_of_query: '1' });
  for (const [name, value] of Object.entries(parameters)) query.set(`param_${name}`, value);
  const answer = await fetch(`${url}?${query}`, { method: 'POST', body: sql });
  const text = (await answer.text()).trim();
  if (!answer.ok) throw new Error(text);
  const summary = JSON.parse(answer.headers.get('x-clickhouse-summary') ?? '{}') as {
    readonly read_rows?: string;
  };
  return { text, rowsRead: Number(summary.read_rows ?? 0) };
}
