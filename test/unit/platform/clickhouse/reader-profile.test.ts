import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { READ_SETTINGS } from '../../../../src/api/query/scope.ts';
import { CLUSTER_SETTINGS, querySettings } from '../../../../src/platform/clickhouse/client-options.ts';
import { readerFileXml } from '../../../../src/platform/clickhouse/reader-profile.ts';

it('lets a statement of the API carry every setting that it carries', () => {
  const carried = { ...querySettings({ route: 'test' }, true), ...CLUSTER_SETTINGS, ...READ_SETTINGS };
  // A parameter of the request, and no setting.
  const allowed = [...readerFileXml().matchAll(/<(\w+)>.*<changeable_in_readonly\/>/g)].map(
    ([, name]) => name,
  );
  const known = new Set([...allowed, 'wait_end_of_query']);
  expect(Object.keys(carried).filter((name) => !known.has(name))).toEqual([]);
});

it('equals clickhouse/reader.xml', () => {
  const file = join(import.meta.dirname, '../../../../clickhouse/reader.xml');
  expect(readFileSync(file, 'utf8'), 'run `node scripts/generate-reader-xml.ts`').toBe(readerFileXml());
});
