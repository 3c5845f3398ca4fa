import { buildDashboard, CLICKHOUSE, type Panel } from './dashboard.ts';
import { PARAMETER_VALUES, type Question, readQuestions } from './read-questions.ts';

/** Grafana's macros and variables in the place of the parameters of a question. */
const REPLACED: Readonly<Record<string, string>> = {
  '{from:Date}': 'toDate($__fromTime)',
  '{to:Date}': 'toDate($__toTime)',
  '{address:String}': "'$address'",
  '{jetton:String}': "'$jetton'",
};

const VARIABLES = Object.entries(PARAMETER_VALUES).map(([name, query]) => variable(name, query));

/** The dashboard of the chain: a panel for each question. */
export function chainDashboard(): string {
  return buildDashboard({
    uid: 'tonhouse-chain',
    title: 'TON: the chain',
    from: 'now-30d',
    panels: readQuestions().map(toPanel),
    variables: VARIABLES,
  });
}

function toPanel({ number, title, panel, sql }: Question): Panel {
  const rawSql = Object.entries(REPLACED).reduce((text, [from, to]) => text.replaceAll(from, to), sql);
  const isSeries = panel === 'timeseries';
  return {
    title: `${number}. ${title}`,
    type: panel,
    datasource: CLICKHOUSE,
    targets: [
      {
        refId: 'A',
        datasource: CLICKHOUSE,
        editorType: 'sql',
        queryType: panel,
        // 0: time series, 1: table.
        format: isSeries ? 0 : 1,
        rawSql,
      },
    ],
  };
}

function variable(name: string, query: string) {
  return { name, type: 'query', datasource: CLICKHOUSE, query, refresh: 1, includeAll: false, multi: false };
}
