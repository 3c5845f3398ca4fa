import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchStore } from '../common/bench-store.ts';
import { note, quantile, round } from '../common/report.ts';
import { loadPeer } from './load-peer.ts';
import { startPostgres } from './postgres-server.ts';

const QUESTIONS = join(import.meta.dirname, 'peer-questions');

/** Answer of PostgreSQL to a question. */
export interface PeerFigures {
  /** Median time until the whole answer is here, ms. */
  readonly p50_ms: number;
  readonly rows: number;
}

/**
 * Asks the questions that the peer's schema can answer, in SQL of PostgreSQL, over the same rows; by name of a question.
 * `parameters`: dates as text, addresses as the lake has them.
 */
export async function measurePeer(
  folder: string,
  store: BenchStore,
  {
    names,
    runs,
    parameters,
  }: {
    readonly names: readonly string[];
    readonly runs: number;
    readonly parameters: Readonly<Record<string, string>>;
  },
): Promise<ReadonlyMap<string, PeerFigures>> {
  const postgres = await startPostgres(folder);
  try {
    await loadPeer(store, postgres);
    const measured = new Map<string, PeerFigures>();
    for (const name of names) {
      const file = join(QUESTIONS, `${name}.sql`);
      if (!existsSync(file)) continue;
      const sql = fillIn(readFileSync(file, 'utf8'), parameters);
      const rows = (await postgres.run(sql)).trim();
      const times = readTimes(await postgres.run(`\\timing on\n\\o /dev/null\n${sql.repeat(runs)}`));
      measured.set(name, {
        p50_ms: round(quantile(times, 0.5), 1),
        rows: rows === '' ? 0 : rows.split('\n').length,
      });
      note(`PostgreSQL, ${name}: ${measured.get(name)?.p50_ms} ms`);
    }
    return measured;
  } finally {
    await postgres.stop();
  }
}

/** Replaces `:name` by a literal: dates, and addresses as bytes. */
function fillIn(sql: string, parameters: Readonly<Record<string, string>>): string {
  return sql.replace(/(?<!:):([a-z]+)\b/g, (whole, name: string) => {
    const value = parameters[name];
    if (value === undefined) return whole;
    if (!value.includes(':')) return `date '${value}'`;
    const [workchain, hash] = value.split(':');
    return `'\\x${workchain === '-1' ? 'ffffffff' : '00000000'}${hash}'::bytea`;
  });
}

/** Times of statements, ms, sorted. */
function readTimes(output: string): number[] {
  return [...output.matchAll(/^Time: ([\d.]+) ms/gm)].map(([, ms]) => Number(ms)).sort((a, b) => a - b);
}
