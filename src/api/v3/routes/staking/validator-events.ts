import { HttpError } from '../../../http/errors/http-error.ts';
import { accountOfRaw } from '../../../query/account-id.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { readValidatorEvents, type ValidatorEvent } from '../../../staking/read-validator-events.ts';
import { readAddressBook } from '../../answers/read-address-book.ts';
import { validatorEventAnswer } from '../../answers/validator-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { text } from '../../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../parameters/paging.ts';
import { readTimeSpan, spanFields, TIME_SPAN } from '../../parameters/time-span.ts';
import { VALIDATOR_FILTERS, validatorFilter } from '../../parameters/validator-filter.ts';
import { VALIDATOR_EVENT_PLACE } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import { ValidatorEventsSchema } from '../../schemas/validators.ts';

type EventType = ValidatorEvent['type'];

const STAKES: readonly EventType[] = ['stake_accepted', 'stake_rejected'];
/** Types that are shown where none is asked for. */
const USUAL: readonly EventType[] = [...STAKES, 'stake_recovered'];
const TYPES: ReadonlySet<string> = new Set([...USUAL, 'recover_requested', 'recover_failed']);

/** The address book of raw addresses, if requested. */
export function readBook(scope: ReadScope, addresses: readonly string[], isWanted: boolean) {
  return isWanted ? readAddressBook(scope, [...new Set(addresses)].map(accountOfRaw)) : {};
}

/** `/validators/events` (v3-more.md 4): stakes that were sent to the elector and taken back. */
export const validatorEvents = endpoint({
  path: '/validators/events',
  tag: 'validators',
  summary: 'Stakes of validators: accepted, rejected, recovered.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    ...VALIDATOR_FILTERS,
    type: text('stake_accepted, stake_rejected, stake_recovered, recover_requested or recover_failed.'),
    ...TIME_SPAN,
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: ValidatorEventsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const scan = parseScan(VALIDATOR_EVENT_PLACE, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const { adnl, publicKey } = validatorFilter(values);
    const span = readTimeSpan(values);
    const isKeyed = adnl !== undefined || publicKey !== undefined;
    const requestedTypes = values.type ? [values.type as EventType].filter((type) => TYPES.has(type)) : USUAL;
    // Only stakes contain a key.
    const types = new Set(isKeyed ? requestedTypes.filter((type) => STAKES.includes(type)) : requestedTypes);
    const accepts = ({ stake }: ValidatorEvent) =>
      (adnl === undefined || stake?.adnl === adnl) &&
      (publicKey === undefined || stake?.publicKey === publicKey);
    const filter = { types, account: values.stake_holder_address, span, accepts, after: scan?.after ?? null };
    const count = page.offset + page.limit;
    if (count > settings.maxLimit * 10) throw new HttpError(422, 'offset is too large: page by end_utime');
    const found = await readValidatorEvents(scope, filter, count, page.descending);
    const events = found.slice(page.offset).map(validatorEventAnswer);
    const listed = events.map(({ stake_holder_address: account }) => account);
    const address_book = await readBook(scope, listed, switches.addressBook);
    const places = events.map(({ utime, tx_lt: lt, tx_hash: hash }) => ({ utime, lt, hash }));
    const next = nextCursor(VALIDATOR_EVENT_PLACE, scan, page, places);
    return { events, address_book, ...spanFields(values), ...next };
  },
});
