import { HttpError } from '../../../http/errors/http-error.ts';
import { needed } from '../../../parameters/parameter.ts';
import type { AccountId } from '../../../query/account-id.ts';
import { rawAddress } from '../../../query/account-id.ts';
import type { Page } from '../../../query/page.ts';
import type { ReadScope } from '../../../query/scope.ts';
import type { ServeSettings } from '../../../serve-context.ts';
import { type PoolChange, poolChanges, readPoolsOfValidator } from '../../../staking/read-pool-events.ts';
import { spanBehind, type TimeSpan } from '../../../staking/time-span.ts';
import { describeAddresses } from '../../answers/describe-addresses.ts';
import {
  nominatorEventAnswer,
  nominatorRewardAnswer,
  poolValidatorEventAnswer,
  poolValidatorRewardAnswer,
} from '../../answers/pool-event-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { account, text } from '../../parameters/forms.ts';
import { PAGING, toPage } from '../../parameters/paging.ts';
import { readTimeSpan, spanFields, TIME_SPAN } from '../../parameters/time-span.ts';
import { POOL_EVENT_PLACE, type PoolEventPlace } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, type Scan, type ScanValues, scannedScope } from '../../scan.ts';
import {
  NominatorEventsSchema,
  NominatorRewardsSchema,
  PoolValidatorEventsSchema,
  PoolValidatorRewardsSchema,
} from '../../schemas/staking.ts';

const DEFAULT_LIMIT = 100;
const LIMIT = { limit: PAGING.limit, ...SCANNING } as const;
const POOL = account('Address of the pool.');
const NOMINATOR = account('Address of the nominator.');
const VALIDATOR = account('Address of the validator.');

type PoolScope = ReadScope<'base' | 'contracts'>;

/** A request for events of pools, read. */
interface Request {
  /** Scope that it reads. */
  readonly scope: PoolScope;
  readonly span: TimeSpan;
  readonly page: Page;
  readonly scan: Scan<PoolEventPlace> | null;
}

/** An event's answer and position. */
interface Placed<T> {
  readonly answer: T;
  readonly place: PoolEventPlace;
}

type Values = Parameters<typeof readTimeSpan>[0] & ScanValues;

/** @throws HttpError 422, 503 */
function buildRequest(
  fullScope: PoolScope,
  values: Omit<Values, 'offset'>,
  settings: ServeSettings,
): Request {
  const paging = { ...values, offset: undefined };
  const page = toPage(paging, { ...settings, defaultLimit: DEFAULT_LIMIT });
  const scan = parseScan(POOL_EVENT_PLACE, paging, page, fullScope.visible);
  return { scope: scannedScope(fullScope, scan), span: readTimeSpan(values), page, scan };
}

/** Events of a pool, newest first, until there are enough. `getEvents`: of one transaction, in order. */
async function readEvents<T>(
  { scope, span, page, scan }: Request,
  pool: AccountId,
  getEvents: (change: PoolChange) => readonly T[],
): Promise<Placed<T>[]> {
  const after = scan?.after ?? null;
  const found: Placed<T>[] = [];
  for await (const change of poolChanges(scope, pool, spanBehind(span, after, true))) {
    const { lt, now: utime } = change.transaction;
    for (const [at, answer] of getEvents(change).toReversed().entries()) {
      const place = { utime, lt, pool: change.pool, at };
      if (!after || byPlace(after, place) < 0) found.push({ answer, place });
    }
    if (found.length >= page.limit) break;
  }
  return found.slice(0, page.limit);
}

/** Newest first; events of one transaction by their number. */
function byPlace(a: PoolEventPlace, b: PoolEventPlace): number {
  const isEarlier = a.pool < b.pool;
  return (
    b.utime - a.utime ||
    Number(BigInt(b.lt) - BigInt(a.lt)) ||
    (a.pool === b.pool ? a.at - b.at : isEarlier ? -1 : 1)
  );
}

function getAnswers<T>(found: readonly Placed<T>[]): T[] {
  return found.map(({ answer }) => answer);
}

function getNextCursor({ scan, page }: Request, found: readonly Placed<unknown>[]) {
  const places = found.map(({ place }) => place);
  return nextCursor(POOL_EVENT_PLACE, scan, page, places);
}

async function readBook(scope: PoolScope, addresses: readonly string[], addressBook: boolean) {
  const switches = { addressBook, metadata: false };
  return (await describeAddresses(scope, addresses, switches)).address_book;
}

function sumRewards(rewards: readonly { readonly reward: string }[]): string {
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
  async handle(fullScope, values, { settings, switches }) {
    const { pool, nominator } = values;
    if (!pool) throw new HttpError(422, 'pool parameter is required');
    const only = nominator && rawAddress(nominator);
    const request = buildRequest(fullScope, values, settings);
    const found = await readEvents(request, pool, (change) =>
      change.events.nominators
        .filter((event) => only === undefined || event.nominator === only)
        .map((event) => nominatorEventAnswer(change, event)),
    );
    const events = getAnswers(found);
    const listed = events.flatMap((event) => [event.pool_address, event.nominator_address]);
    const address_book = await readBook(request.scope, listed, switches.addressBook);
    return { events, address_book, ...spanFields(values), ...getNextCursor(request, found) };
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
  async handle(fullScope, values, { settings, switches }) {
    const { pool, nominator } = values;
    if (!pool || !nominator) throw new HttpError(422, 'nominator and pool parameters are required');
    const only = rawAddress(nominator);
    const request = buildRequest(fullScope, values, settings);
    const found = await readEvents(request, pool, (change) =>
      change.events.nominators
        .filter((event) => event.type === 'reward' && event.nominator === only)
        .map((event) => nominatorRewardAnswer(change, event)),
    );
    const rewards = getAnswers(found);
    const address_book = await readBook(request.scope, [rawAddress(pool), only], switches.addressBook);
    const shared = { address_book, ...spanFields(values), ...getNextCursor(request, found) };
    return { rewards, total_on_page: sumRewards(rewards), ...shared };
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
  async handle(fullScope, values, { settings, switches }) {
    const { pool, validator } = values;
    if (!pool && !validator) throw new HttpError(422, 'validator or pool parameter is required');
    const request = buildRequest(fullScope, values, settings);
    const only = validator && rawAddress(validator);
    const pools = pool ? [pool] : await readPoolsOfValidator(request.scope, validator as AccountId);
    const read = [];
    for (const one of pools)
      read.push(
        ...(await readEvents(request, one, (change) =>
          change.events.validator
            .filter((event) => only === undefined || event.validator === only)
            .filter(({ type }) => !values.type || type === values.type)
            .map((event) => poolValidatorEventAnswer(change, event)),
        )),
      );
    const found = read.sort((a, b) => byPlace(a.place, b.place)).slice(0, request.page.limit);
    const events = getAnswers(found);
    const listed = events.flatMap((event) => [event.pool_address, event.validator_address]);
    const address_book = await readBook(request.scope, listed, switches.addressBook);
    return { events, address_book, ...spanFields(values), ...getNextCursor(request, found) };
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
  async handle(fullScope, values, { settings, switches }) {
    const { pool, validator } = values;
    if (!pool || !validator) throw new HttpError(422, 'validator and pool parameters are required');
    const only = rawAddress(validator);
    const request = buildRequest(fullScope, values, settings);
    const found = await readEvents(request, pool, (change) =>
      change.events.validator
        .filter((event) => event.type === 'reward' && event.validator === only)
        .map((event) => poolValidatorRewardAnswer(change, event)),
    );
    const rewards = getAnswers(found);
    const address_book = await readBook(request.scope, [rawAddress(pool), only], switches.addressBook);
    const shared = { address_book, ...spanFields(values), ...getNextCursor(request, found) };
    return { rewards, total_on_page: sumRewards(rewards), ...shared };
  },
});
