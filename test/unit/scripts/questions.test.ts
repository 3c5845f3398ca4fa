import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { questionFiles } from '../../../scripts/generate-questions.ts';
import { CLICKHOUSE, PROMETHEUS } from '../../../scripts/questions/dashboard.ts';
import { readQuestions } from '../../../scripts/questions/read-questions.ts';

const read = (path: string) => readFileSync(path, 'utf8');

it.each(Object.entries(questionFiles()))(
  '%s has the questions (scripts/generate-questions.ts --write)',
  (path, text) => {
    expect(read(path)).toBe(text);
  },
);

it('the questions are numbered from 1 to 25', () => {
  const numbers = new Set(readQuestions().map(({ number }) => Number.parseInt(number, 10)));
  expect([...numbers]).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
});

describe('the configuration of Grafana', () => {
  it('has the data sources that the dashboards name', () => {
    const { datasources } = parse(read('grafana/provisioning/datasources/tonhouse.yaml')) as {
      datasources: readonly { readonly uid: string; readonly type: string }[];
    };
    expect(datasources.map(({ uid, type }) => ({ type, uid }))).toEqual([CLICKHOUSE, PROMETHEUS]);
  });

  it('asks the ports of docker-compose.yml', () => {
    const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
      services: Record<string, { environment?: Record<string, unknown> }>;
    };
    const sources = read('grafana/provisioning/datasources/tonhouse.yaml');
    expect(sources).toContain(`port: ${services.serve?.environment?.TONHOUSE_SQL_PORT}`);
    const scrape = read('grafana/prometheus.yml');
    expect(scrape).toContain(`serve:${services.serve?.environment?.TONHOUSE_PORT}`);
    for (const stage of ['capture', 'decode', 'publish'])
      expect(scrape).toContain(`port: ${services[stage]?.environment?.TONHOUSE_METRICS_PORT}`);
  });

  it('alerts by the expressions of docs/operations.md', () => {
    const { groups } = parse(read('grafana/alerts.yml')) as {
      groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
    };
    const page = read('docs/operations.md');
    const rules = groups.flatMap((group) => group.rules);
    const metrics = rules.flatMap(({ expr }) => expr.match(/tonhouse_\w+/g) ?? []);
    expect(metrics.filter((name) => !page.includes(name))).toEqual([]);
  });
});
