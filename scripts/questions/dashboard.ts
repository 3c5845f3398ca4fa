/** Grafana's JSON of a dashboard, reduced to what ours use. */
export interface Panel {
  readonly title: string;
  readonly type: 'timeseries' | 'table' | 'stat';
  readonly datasource: { readonly type: string; readonly uid: string };
  readonly targets: readonly Readonly<Record<string, unknown>>[];
  readonly unit?: string;
}

/** Data sources of grafana/provisioning/datasources. */
export const CLICKHOUSE = { type: 'grafana-clickhouse-datasource', uid: 'tonhouse-sql' };
export const PROMETHEUS = { type: 'prometheus', uid: 'tonhouse-prometheus' };

const WIDTH = 12;
const HEIGHT = 8;

export interface DashboardOptions {
  readonly uid: string;
  readonly title: string;
  readonly from: string;
  readonly panels: readonly Panel[];
  readonly variables?: readonly Readonly<Record<string, unknown>>[];
}

/** Builds a dashboard with two panels a row. */
export function buildDashboard({ uid, title, from, panels, variables = [] }: DashboardOptions): string {
  const dashboard = {
    uid,
    title,
    tags: ['tonhouse'],
    editable: true,
    schemaVersion: 39,
    timezone: 'utc',
    time: { from, to: 'now' },
    templating: { list: variables },
    panels: panels.map(({ unit, ...panel }, i) => ({
      id: i + 1,
      ...panel,
      gridPos: { x: (i % 2) * WIDTH, y: Math.floor(i / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
      fieldConfig: { defaults: unit === undefined ? {} : { unit }, overrides: [] },
      options: {},
    })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}
