import { HttpError } from '../../../http/errors/http-error.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { tryReadElector } from '../../../staking/read-elector.ts';
import { findRound, mayComeFrom, setsInTurn } from '../../../staking/read-rounds.ts';
import { readValidatorLimits } from '../../../staking/read-validator-limits.ts';
import type { ShownSet } from '../../../staking/read-validator-sets.ts';
import {
  cycleAnswer,
  cycleValidators,
  type HeldCycle,
  hasValidators,
} from '../../answers/validator-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { bool, utime } from '../../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../parameters/paging.ts';
import { readTimeSpan, TIME_SPAN } from '../../parameters/time-span.ts';
import { checkMembersLimit, VALIDATOR_FILTERS, validatorFilter } from '../../parameters/validator-filter.ts';
import { CYCLE_PLACE } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import {
  type ValidatorComplaintAnswer,
  type ValidatorCycleAnswer,
  ValidatorCyclesSchema,
} from '../../schemas/validators.ts';
import { complaintAddresses, complaintsAbout, type SeenSets } from './validator-complaints.ts';
import { readBook } from './validator-events.ts';

/** Facts of a set: those that the elector held when it was first shown, before any fine. */
async function heldCycle(scope: ReadScope, { set, first, last }: ShownSet): Promise<HeldCycle> {
  const [elector, limits] = await Promise.all([
    tryReadElector(scope, first),
    readValidatorLimits(scope, last),
  ]);
  return {
    set,
    limits,
    round: elector ? findRound(elector, set) : undefined,
    election: elector?.election ?? null,
  };
}

/** Complaints about a set; none if the elector's state is not held. */
async function knownComplaints(
  scope: ReadScope,
  shown: ShownSet,
  seen: SeenSets,
): Promise<readonly ValidatorComplaintAnswer[]> {
  try {
    return await complaintsAbout(scope, shown, seen);
  } catch (error) {
    if (error instanceof HttpError && error.status === 500) return [];
    throw error;
  }
}

/** `/validators/cycles` (v3-more.md 4): validator sets by the time from which they count. */
export const validatorCycles = endpoint({
  path: '/validators/cycles',
  tag: 'validators',
  summary: 'Validator sets and their stakes.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    cycle_start: utime('Begin of the cycle.'),
    election_id: utime('The election that it came from.'),
    ...VALIDATOR_FILTERS,
    return_validators: bool('Adds the validators; limit is 100 then.'),
    ...TIME_SPAN,
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: ValidatorCyclesSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const { limit, offset, descending } = page;
    const scan = parseScan(CYCLE_PLACE, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const lists = values.return_validators ?? false;
    checkMembersLimit(limit, lists, 'return_validators');
    const filter = validatorFilter(values);
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = readTimeSpan(values);
    const [seen, found]: [SeenSets, ValidatorCycleAnswer[]] = [new Map(), []];
    const places: { readonly set: string }[] = [];
    let isBehind = !scan?.after;
    for await (const shown of setsInTurn(scope, descending)) {
      const { set } = shown;
      seen.set(set.hash, set);
      if (!isBehind) {
        isBehind = set.hash === scan?.after?.set;
        continue;
      }
      if (set.since < startUtime || set.since > endUtime) continue;
      if (values.cycle_start !== undefined && set.since !== values.cycle_start) continue;
      if (values.election_id !== undefined && !mayComeFrom(shown, values.election_id)) continue;
      const held = await heldCycle(scope, shown);
      if (values.election_id !== undefined && held.round?.id !== values.election_id) continue;
      if (!hasValidators(held, filter)) continue;
      const complaints = lists ? await knownComplaints(scope, shown, seen) : [];
      const members = lists ? { validators: cycleValidators(held, filter, complaints) } : {};
      found.push({ ...cycleAnswer(held), ...members });
      places.push({ set: set.hash });
      if (found.length >= offset + limit) break;
    }
    const cycles = found.slice(offset, offset + limit);
    const listed = cycles.flatMap(({ validators = [] }) =>
      validators.flatMap(({ stake_holder_address: holder, complaints }) => [
        ...(holder === undefined ? [] : [holder]),
        ...complaintAddresses(complaints),
      ]),
    );
    const address_book = await readBook(scope, listed, switches.addressBook);
    return { cycles, address_book, ...nextCursor(CYCLE_PLACE, scan, page, places.slice(offset)) };
  },
});
