import { heldElections, mayComeFrom } from '../../staking/read-rounds.ts';
import { electionAnswer } from '../answers/validator-answers.ts';
import { endpoint } from '../endpoint.ts';
import { bool, utime } from '../parameters/forms.ts';
import { PAGING, pageOf, SORTING } from '../parameters/paging.ts';
import { TIME_SPAN, timeSpanOf } from '../parameters/time-span.ts';
import {
  checkMembersLimit,
  isAnyValidator,
  isValidator,
  VALIDATOR_FILTERS,
  validatorFilter,
} from '../parameters/validator-filter.ts';
import { type ValidatorElectionAnswer, ValidatorElectionsSchema } from '../schemas/validators.ts';
import { bookOf } from './validator-events.ts';

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
    return_participants: bool('Adds those who take part; limit is 100 then.'),
    finished: bool('Only finished ones, or only others.'),
    ...TIME_SPAN,
    ...PAGING,
    ...SORTING,
  },
  answer: ValidatorElectionsSchema,
  cached: true,
  async handle(scope, values, { settings, switches }) {
    const { limit, offset, descending } = pageOf(values, settings);
    const lists = values.return_participants ?? false;
    checkMembersLimit(limit, lists, 'return_participants');
    const filter = validatorFilter(values);
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = timeSpanOf(values);
    const { election_id: only, finished } = values;
    const [from, to] = [Math.max(startUtime, only ?? 0), Math.min(endUtime, only ?? endUtime)];
    const found: ValidatorElectionAnswer[] = [];
    for await (const held of heldElections(scope, descending, (set) => !mayComeFrom(set, from, to))) {
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
    return { elections, address_book: await bookOf(scope, listed, switches.addressBook) };
  },
});
