import { expect, it } from 'vitest';
import { readCustody } from '../../../../../src/api/entities/contracts/custody.ts';

const PAGE = { limit: 1, offset: 0, descending: true };

it.each([
  ['no table of them', {}],
  ['a table without their columns', { contract_states: { kind: 'Enum8' } }],
])('multisigs are refused of a version that has %s', async (_what, tables) => {
  const scope = {
    context: { getTables: () => tables },
    databases: { contracts: 'mainnet_contracts_v1' },
    visible: { first: 1, last: 2 },
    query: () => Promise.reject(new Error('nothing is read')),
  } as unknown as Parameters<typeof readCustody>[0];
  await expect(readCustody(scope, { kind: 'multisig' }, PAGE, 'lt')).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('replay contracts'),
  });
});
