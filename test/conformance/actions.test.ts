import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCases } from '../../scripts/conformance/action-cases.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/** Groups of recorded cases. */
const GROUPS = [
  'cocoon',
  'coffee',
  'dedust-liquidities',
  'ethena',
  'evaa',
  'jetton-mints',
  'jetton-transfer',
  'jvault',
  'layerzero',
  'nft',
  'stonfi-swaps',
  'stonfi-v2-swaps',
  'tgbtc',
  'ton-transfers',
  'tonco',
  'tonstakers',
  'vesting',
];

describeWithData('recorded traces become the actions that are expected', (data) => {
  const outcomes = runCases(join(data, 'traces'));
  it.each(GROUPS)('%s', (group) => {
    const own = outcomes.filter((one) => one.group === group);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter(({ got }) => got !== 'ok')).toEqual([]);
  });
});
