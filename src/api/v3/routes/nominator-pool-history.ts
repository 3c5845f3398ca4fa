import { HttpError } from '../../http/http-error.ts';
import { needed } from '../../parameters/parameter.ts';
import type { AccountId } from '../../read/account-id.ts';
import { rawAddress } from '../../read/account-id.ts';
import type { ReadScope } from '../../read/read-scope.ts';
import type { ServeSettings } from '../../serve-context.ts';
import { type PoolChange, poolChanges, readPoolsOf, type TimeSpan } from '../../staking/read-pool-events.ts';
import { describeAddresses } from '../answers/describe-addresses.ts';
import {
  nominatorEventAnswer,
  nominatorRewardAnswer,
  poolValidatorEventAnswer,
  poolValidatorRewardAnswer,
} from '../answers/pool-event-answers.ts';
import { endpoint } from '../endpoint.ts';
import { account, text } from '../parameters/forms.ts';
import { PAGING, pageOf } from '../parameters/paging.ts';
import { spanFields, TIME_SPAN, timeSpanOf } from '../parameters/time-span.ts';
import {
  NominatorEventsSchema,
  NominatorRewardsSchema,
  PoolValidatorEventsSchema,
  PoolValidatorRewardsSchema,
} from '../schemas/staking.ts';

const DEFAULT_LIMIT = 100;
const LIMIT = { limit: PAGING.limit } as const;
const POOL = account('Address of the pool.');
const NOMINATOR = account('Address of the nominator.');
const VALIDATOR = account('Address of the validator.');

type PoolScope = ReadScope<'base' | 'contracts'>;

interface Request {
  readonly span: TimeSpan;
  readonly limit: number;
}

function requestOf(
  values: Parameters<typeof timeSpanOf>[0] & { readonly limit: number | undefined },
  settings: ServeSettings,
): Request {
  const paging = { limit: values.limit, offset: undefined };
  const { limit } = pageOf(paging, { ...settings, defaultLimit: DEFAULT_LIMIT });
  return { span: timeSpanOf(values), limit };
}

/** Events of a pool, newest first, until there are enough. `eventsOf`: of one transaction, in their order. */
async function readEvents<T>(
  scope: PoolScope,
  pool: AccountId,
  { span, limit }: Request,
  eventsOf: (change: PoolChange) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  for await (const change of poolChanges(scope, pool, span)) {
    found.push(...eventsOf(change).toReversed());
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

async function bookOf(scope: PoolScope, addresses: readonly string[], addressBook: boolean) {
  const switches = { addressBook, metadata: false };
  return (await describeAddresses(scope, addresses, switches)).address_book;
}

function sumOf(rewards: readonly { readonly reward: string }[]): string {
  return `${rewards.reduce((sum, { reward }) => sum + BigInt(reward), 0n)}`;
}

/** `/staking/nominatorPools/nominatorEvents` (v3-more.md 3). */
export const nominatorEvents = endpoint({
  path: '/staking/nominatorPools/nominatorEvents',
  tag: 'staking',
  summary: 'What changed the coins of nominators in a pool.',
  reads: ['base', 'contracts'],
  parameters: { pool: needed(POOL), nominator: NOMINATOR, ...TIME_SPAN, ...LIMIT },
  answer: NominatorEventsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const { pool, nominator } = values;
    if (!pool) throw new HttpError(422, 'pool parameter is required');
    const only = nominator && rawAddress(nominator);
    const events = await readEvents(scope, pool, requestOf(values, settings), (change) =>
      change.events.nominators
        .filter((event) => only === undefined || event.nominator === only)
        .map((event) => nominatorEventAnswer(change, event)),
    );
    const listed = events.flatMap((event) => [event.pool_address, event.nominator_address]);
    const address_book = await bookOf(scope, listed, switches.addressBook);
    return { events, address_book, ...spanFields(values) };
  },
});

/** `/staking/nominatorPools/nominatorRewards` (v3-more.md 3). */
export const nominatorRewards = endpoint({
  path: '/staking/nominatorPools/nominatorRewards',
  tag: 'staking',
  summary: 'Rewards of a nominator in a pool.',
  reads: ['base', 'contracts'],
  parameters: { nominator: needed(NOMINATOR), pool: needed(POOL), ...TIME_SPAN, ...LIMIT },
  answer: NominatorRewardsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const { pool, nominator } = values;
    if (!pool || !nominator) throw new HttpError(422, 'nominator and pool parameters are required');
    const only = rawAddress(nominator);
    const rewards = await readEvents(scope, pool, requestOf(values, settings), (change) =>
      change.events.nominators
        .filter((event) => event.type === 'reward' && event.nominator === only)
        .map((event) => nominatorRewardAnswer(change, event)),
    );
    const address_book = await bookOf(scope, [rawAddress(pool), only], switches.addressBook);
    return { rewards, total_on_page: sumOf(rewards), address_book, ...spanFields(values) };
  },
});

/** `/staking/nominatorPools/validatorEvents` (v3-more.md 3). */
export const poolValidatorEvents = endpoint({
  path: '/staking/nominatorPools/validatorEvents',
  tag: 'staking',
  summary: 'What changed the own coins of a validator in its pools.',
  reads: ['base', 'contracts'],
  parameters: {
    validator: VALIDATOR,
    pool: POOL,
    type: text('reward, penalty, deposit or withdrawal.'),
    ...TIME_SPAN,
    ...LIMIT,
  },
  answer: PoolValidatorEventsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const { pool, validator } = values;
    if (!pool && !validator) throw new HttpError(422, 'validator or pool parameter is required');
    const request = requestOf(values, settings);
    const only = validator && rawAddress(validator);
    const pools = pool ? [pool] : await readPoolsOf(scope, validator as AccountId);
    const found = [];
    for (const one of pools)
      found.push(
        ...(await readEvents(scope, one, request, (change) =>
          change.events.validator
            .filter((event) => only === undefined || event.validator === only)
            .filter(({ type }) => !values.type || type === values.type)
            .map((event) => poolValidatorEventAnswer(change, event)),
        )),
      );
    found.sort((a, b) => b.utime - a.utime || Number(BigInt(b.tx_lt) - BigInt(a.tx_lt)));
    const events = found.slice(0, request.limit);
    const listed = events.flatMap((event) => [event.pool_address, event.validator_address]);
    const address_book = await bookOf(scope, listed, switches.addressBook);
    return { events, address_book, ...spanFields(values) };
  },
});

/** `/staking/nominatorPools/validatorRewards` (v3-more.md 3). */
export const poolValidatorRewards = endpoint({
  path: '/staking/nominatorPools/validatorRewards',
  tag: 'staking',
  summary: 'Rewards of a validator in a pool.',
  reads: ['base', 'contracts'],
  parameters: { validator: needed(VALIDATOR), pool: needed(POOL), ...TIME_SPAN, ...LIMIT },
  answer: PoolValidatorRewardsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const { pool, validator } = values;
    if (!pool || !validator) throw new HttpError(422, 'validator and pool parameters are required');
    const only = rawAddress(validator);
    const rewards = await readEvents(scope, pool, requestOf(values, settings), (change) =>
      change.events.validator
        .filter((event) => event.type === 'reward' && event.validator === only)
        .map((event) => poolValidatorRewardAnswer(change, event)),
    );
    const address_book = await bookOf(scope, [rawAddress(pool), only], switches.addressBook);
    return { rewards, total_on_page: sumOf(rewards), address_book, ...spanFields(values) };
  },
});
