import { expect, it } from 'vitest';
import type { StatusReport } from '../../../../src/engine/status/status-report.ts';
import { statusText } from '../../../../src/engine/status/status-text.ts';

it('tells the figures of a projection: what is missing, and why accounts are no tokens', () => {
  const report: StatusReport = {
    network: 'test',
    id: '00',
    database: 'test_base_v1',
    projections: [
      {
        projection: 'contracts',
        served_version: 3,
        served_code: 3,
        code: 3,
        needs_replay: false,
        visible: { first: 1, last: 99 },
        figures: {
          'missing libraries': 1,
          'no jetton_master: exit code -14': 2,
          'no kind: other reasons': 3,
        },
        versions: [],
      },
    ],
    visible: { first: 1, last: 99 },
    log: { records: 0, bytes: 0, checked: null },
    detached_parts: [],
    lag: [],
    feeds: [{ topic: 'traces', projection: 'traces', confirmed: 99, waiting: 4 }],
    dead_letters: 0,
    tables: [],
    bytes_per_transaction: null,
  };
  expect(statusText(report)).toContain(
    'masterchain 1 to 99, 1 missing libraries, 2 no jetton_master: exit code -14, 3 no kind: other reasons\n',
  );
  expect(statusText(report)).toContain('\nfeed traces    4 confirmed steps of traces wait to be appended\n');
});
