import { readCustody } from '../../../entities/contracts/custody.ts';
import { HttpError } from '../../../http/errors/http-error.ts';
import { needed } from '../../../parameters/parameter.ts';
import { type AccountId, rawAddress } from '../../../query/account-id.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import { endpoint } from '../../endpoint.ts';
import { account } from '../../parameters/forms.ts';
import {
  type NominatorPoolsAnswer,
  NominatorPoolsSchema,
  type PoolAnswer,
  PoolSchema,
} from '../../schemas/custody.ts';

/** Pools that one account has coins in. */
const MAX_POOLS = 1_000;

function required(value: AccountId | undefined, name: string): AccountId {
  if (!value) throw new HttpError(422, `${name} parameter is required`);
  return value;
}

/** `/staking/nominatorPools/pool` (v3-more.md 3). */
export const nominatorPool = endpoint({
  path: '/staking/nominatorPools/pool',
  tag: 'staking',
  summary: 'A nominator pool.',
  reads: ['base', 'contracts'],
  parameters: { pool: needed(account('Address of the pool.')) },
  answer: PoolSchema,
  cached: true,
  async handle(scope, { pool }, { switches }): Promise<PoolAnswer> {
    const filter = { kind: 'nominator_pool', addresses: [required(pool, 'pool')] } as const;
    const one = { limit: 1, offset: 0, descending: false };
    const [row] = await readCustody(scope, filter, one, 'address');
    if (!row) throw new HttpError(404, 'Pool not found');
    const { nominators, ...details } = row.details;
    const listed = [row.address, details.validator_address, ...nominators.map(({ address }) => address)];
    const { address_book } = await describeAddresses(scope, listed, { ...switches, metadata: false });
    return { ...details, active_nominators: [...nominators], address_book };
  },
});

/** `/staking/nominatorPools/nominator` (v3-more.md 3): pools in which the account has an entry now, by address. */
export const nominatorOfPools = endpoint({
  path: '/staking/nominatorPools/nominator',
  tag: 'staking',
  summary: 'The nominator pools in which an account has coins.',
  reads: ['base', 'contracts'],
  parameters: { nominator: needed(account('Address of the nominator.')) },
  answer: NominatorPoolsSchema,
  cached: true,
  async handle(scope, { nominator }, { switches }): Promise<NominatorPoolsAnswer> {
    const wanted = required(nominator, 'nominator');
    const members = { accounts: [wanted], roles: ['nominator'] as const };
    const page = { limit: MAX_POOLS, offset: 0, descending: false };
    const rows = await readCustody(scope, { kind: 'nominator_pool', members }, page, 'address');
    const own = rawAddress(wanted);
    const pools = rows.flatMap(({ address, details }) => {
      const entry = details.nominators.find((one) => one.address === own);
      return entry
        ? [{ pool_address: address, balance: entry.balance, pending_balance: entry.pending_balance }]
        : [];
    });
    const listed = [own, ...pools.map(({ pool_address }) => pool_address)];
    const { address_book } = await describeAddresses(scope, listed, { ...switches, metadata: false });
    return { nominator_pools: pools, address_book };
  },
});
