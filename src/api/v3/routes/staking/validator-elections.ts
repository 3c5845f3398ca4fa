import { heldElections, mayComeFrom } from '../../../staking/read-rounds.ts';
import { electionAnswer } from '../../answers/validator-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { bool, utime } from '../../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../parameters/paging.ts';
import { readTimeSpan, TIME_SPAN } from '../../parameters/time-span.ts';
import {
  checkMembersLimit,
  isAnyValidator,
  isValidator,
  VALIDATOR_FILTERS,
  validatorFilter,
} from '../../parameters/validator-filter.ts';
import { ELECTION_PLACE } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import { type ValidatorElectionAnswer, ValidatorElectionsSchema } from '../../schemas/validators.ts';
import { readBook } from './validator-events.ts';

/** `/validators/elections` (v3-more.md 4). */
export const validatorElections = endpoint({
  path: '/validators/elections',
  tag: 'validators',
  summary: 'Elections of validators.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    election_id: utime('Id of the election.'),
    ...VALIDATOR_FILTERS,
    return_participants: bool('Adds the participants; limit is then at most 100.'),
    finished: bool('Only finished ones, or only others.'),
    ...TIME_SPAN,
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: ValidatorElectionsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const { limit, offset, descending } = page;
    const scan = parseScan(ELECTION_PLACE, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const lists = values.return_participants ?? false;
    checkMembersLimit(limit, lists, 'return_participants');
    const filter = validatorFilter(values);
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = readTimeSpan(values);
    const { election_id: only, finished } = values;
    const behind = behindPlace(scan?.after ?? null, descending);
    const from = Math.max(startUtime, only ?? 0, behind.from);
    const to = Math.min(endUtime, only ?? endUtime, behind.to);
    const found: ValidatorElectionAnswer[] = [];
    for await (const held of heldElections(scope, descending, (shown) => !mayComeFrom(shown, from, to))) {
      const { id, finished: isFinished, members } = held.election;
      if (id < from || id > to || (finished !== undefined && isFinished !== finished)) continue;
      if (!isAnyValidator(filter) && !members.some((member) => isValidator(filter, member))) continue;
      found.push(electionAnswer(held, filter, lists));
      if (found.length >= offset + limit) break;
    }
    const elections = found.slice(offset, offset + limit);
    const listed = elections.flatMap(({ participants = [] }) =>
      participants.map(({ stake_holder_address: account }) => account),
    );
    const address_book = await readBook(scope, listed, switches.addressBook);
    const places = elections.map(({ election_id: id }) => ({ id }));
    return { elections, address_book, ...nextCursor(ELECTION_PLACE, scan, page, places) };
  },
});

/** Bounds of the ids that follow a row. */
function behindPlace(after: { readonly id: number } | null, descending: boolean) {
  const all = { from: 0, to: Number.POSITIVE_INFINITY };
  if (!after) return all;
  return descending ? { ...all, to: after.id - 1 } : { ...all, from: after.id + 1 };
}
