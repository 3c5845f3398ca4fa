import { expect, it } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { storelessContext } from '../../../helpers/storeless-context.ts';
import { baseVector } from '../../../helpers/version-vector.ts';

it('has Retry-After while the database is away', async () => {
  const app = await buildServer({
    ...storelessContext(),
    vector: () => baseVector('none_test', { first: 1, last: 2 }),
  });
  const v3 = await app.inject({ url: '/api/v3/transactions?limit=1' });
  expect([v3.statusCode, v3.headers['retry-after'], v3.json()]).toEqual([
    503,
    '2',
    { code: 503, error: 'the database is away' },
  ]);
  // v2 has a status of its own for it.
  const v2 = await app.inject({ url: '/api/v2/lookupBlock?workchain=-1&shard=-9223372036854775808&seqno=2' });
  expect([v2.statusCode, v2.json().error]).toEqual([542, 'no workers available']);
  await app.close();
});
