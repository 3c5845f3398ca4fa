import { expect, it } from 'vitest';
import type { StatusReport } from '../../../../src/engine/status/status-report.ts';
import { statusText } from '../../../../src/engine/status/status-text.ts';

const REPORT: StatusReport = {
  network: 'test',
  id: '00',
  start_lt: '0',
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
  blocks: { hot: null, cold: [] },
  log: { records: 0, bytes: 0, sealed: null, moved: null, checked: null },
  detached_parts: [],
  writer: null,
  lag: [],
  feeds: [{ topic: 'traces', projection: 'traces', confirmed: 99, waiting: 4 }],
  dead_letters: 0,
  tables: [],
  volumes: { hot_bytes: 0, cold_bytes: 0 },
  bytes_per_transaction: null,
};

it('shows the figures of a projection: what is missing, and why accounts are no tokens', () => {
  expect(statusText(REPORT)).toContain(
    'masterchain 1 to 99, 1 missing libraries, 2 no jetton_master: exit code -14, 3 no kind: other reasons\n',
  );
  expect(statusText(REPORT)).toContain('\nfeed traces    4 confirmed steps of traces wait to be appended\n');
});

it("shows the owner of the log's lease, and its end", () => {
  const writer = { owner: 'host:42:\u001b[2J', expires_at: '2026-11-28T10:00:15.000Z' };
  expect(statusText(REPORT)).toContain('\nwriter         nobody holds the lease of the log\n');
  expect(statusText({ ...REPORT, writer })).toContain(
    '\nwriter         held by host:42:\\u001b[2J, expires 2026-11-28T10:00:15.000Z unless it is renewed\n',
  );
});

it('shows why sealed files wait in the data directory', () => {
  const moved = { at: '2026-11-30T06:00:00.000Z', to: 's3://lake/raw', error: 's3://lake/raw/a: status 500' };
  const file = { id: 1, epoch: 0, first: 0, last: 9, records: 10, bytes: 1, folder: '/data/log/sealed' };
  const sealed = [file, { ...file, folder: 's3://lake/raw' }];
  const log = { ...REPORT.log, sealed, moved };
  expect(statusText({ ...REPORT, log })).toContain(
    '\nlog move       1 files wait to be moved to s3://lake/raw: the move at 2026-11-30T06:00:00.000Z failed: s3://lake/raw/a: status 500\n',
  );
  const done = { ...log, moved: { ...moved, error: null } };
  expect(statusText({ ...REPORT, log: done })).not.toContain('log move');
});

it('shows the bytes on the cold volume, if some are there', () => {
  const table = {
    table: 'transactions',
    rows: 2,
    bytes: 3 << 20,
    cold_bytes: 2 << 20,
    bytes_per_transaction: 7,
  };
  const hot = statusText({ ...REPORT, tables: [{ ...table, cold_bytes: 0 }] });
  expect(hot).not.toContain('cold');
  const volumes = { hot_bytes: 5 << 20, cold_bytes: 2 << 20 };
  const text = statusText({ ...REPORT, tables: [table], volumes });
  expect(text).toContain('\nvolumes        5.0 MiB hot, 2.0 MiB cold, of all projections\n');
  expect(text).toMatch(/\ntable +rows +size +bytes\/transaction +cold\n/);
  expect(text).toMatch(/\ntransactions +2 +3\.0 MiB +7 +2\.0 MiB\n/);
});
