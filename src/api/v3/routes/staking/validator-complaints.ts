import type { ValidatorSet } from '../../../../ton/contracts/elector/validator-set.ts';
import type { ReadScope } from '../../../query/scope.ts';
import { mayComeFrom, readComplaints, setsInTurn } from '../../../staking/read-rounds.ts';
import type { ShownSet } from '../../../staking/read-validator-sets.ts';
import { complaintAnswer } from '../../answers/validator-answers.ts';
import { endpoint } from '../../endpoint.ts';
import { utime } from '../../parameters/forms.ts';
import { PAGING, SORTING, toPage } from '../../parameters/paging.ts';
import { readTimeSpan, TIME_SPAN } from '../../parameters/time-span.ts';
import { VALIDATOR_FILTERS, validatorFilter } from '../../parameters/validator-filter.ts';
import { COMPLAINT_PLACE } from '../../places.ts';
import { nextCursor, parseScan, SCANNING, scannedScope } from '../../scan.ts';
import { type ValidatorComplaintAnswer, ValidatorComplaintsSchema } from '../../schemas/validators.ts';
import { readBook } from './validator-events.ts';

/** Sets that were seen, for the votes of complaints. */
export type SeenSets = Map<string, ValidatorSet>;

/** Complaints about one set. `seen`: sets that are at least as new. */
export async function complaintsAbout(
  scope: ReadScope,
  shown: ShownSet,
  seen: SeenSets,
): Promise<ValidatorComplaintAnswer[]> {
  return (await readComplaints(scope, shown)).map((held) => {
    const { votingSet, createdAt } = held.complaint;
    const inForce = [...seen.values()].find(({ since, until }) => since <= createdAt && createdAt < until);
    const isVoted = held.complaint.voters.length > 0;
    return complaintAnswer(held, seen.get(votingSet) ?? (isVoted ? null : (inForce ?? null)));
  });
}

/** Addresses of complaints. */
export function complaintAddresses(complaints: readonly ValidatorComplaintAnswer[]): string[] {
  return complaints.flatMap(({ reward_address: reward, stake_holder_address: holder }) =>
    holder === undefined ? [reward] : [reward, holder],
  );
}

/** When the last complaint about a set could be made: while it is the previous one. */
function latest({ since, until }: ValidatorSet): number {
  return until + (until - since) + 86_400;
}

/** `/validators/complaints` (v3-more.md 4): newest first, ties by hash. */
export const validatorComplaints = endpoint({
  path: '/validators/complaints',
  tag: 'validators',
  summary: 'Complaints about validators, and the votes on them.',
  reads: ['base'],
  adds: ['contracts'],
  parameters: {
    cycle_start: utime('Begin of the round complained about.'),
    election_id: utime('Its election.'),
    ...VALIDATOR_FILTERS,
    ...TIME_SPAN,
    ...PAGING,
    ...SORTING,
    ...SCANNING,
  },
  answer: ValidatorComplaintsSchema,
  cached: true,
  async handle(fullScope, values, { settings, switches }) {
    const page = toPage(values, settings);
    const { limit, offset, descending } = page;
    const scan = parseScan(COMPLAINT_PLACE, values, page, fullScope.visible);
    const scope = scannedScope(fullScope, scan);
    const { account, adnl, publicKey } = validatorFilter(values);
    const { startUtime = 0, endUtime = Number.POSITIVE_INFINITY } = readTimeSpan(values);
    const order = buildOrder(descending);
    const after = scan?.after && { created_at: scan.after.at, complaint_hash: scan.after.hash };
    const accepts = (one: ValidatorComplaintAnswer) =>
      (!after || order(after, one) < 0) &&
      one.created_at >= startUtime &&
      one.created_at <= endUtime &&
      (values.election_id === undefined || one.election_id === values.election_id) &&
      (account === undefined || one.stake_holder_address === account) &&
      (adnl === undefined || one.adnl_addr === adnl) &&
      (publicKey === undefined || one.validator_pubkey === publicKey);
    const [seen, found]: [SeenSets, ValidatorComplaintAnswer[]] = [new Map(), []];
    for await (const shown of setsInTurn(scope, true)) {
      const { set } = shown;
      seen.set(set.hash, set);
      if (values.cycle_start !== undefined && set.since !== values.cycle_start) continue;
      if (values.election_id !== undefined && !mayComeFrom(shown, values.election_id)) continue;
      if (latest(set) < startUtime) break;
      const last = descending ? found[offset + limit - 1] : undefined;
      if (last && last.created_at > latest(set)) break;
      found.push(...(await complaintsAbout(scope, shown, seen)).filter(accepts));
      found.sort(order);
    }
    const complaints = found.slice(offset, offset + limit);
    const address_book = await readBook(scope, complaintAddresses(complaints), switches.addressBook);
    const places = complaints.map(({ created_at: at, complaint_hash: hash }) => ({ at, hash }));
    return { complaints, address_book, ...nextCursor(COMPLAINT_PLACE, scan, page, places) };
  },
});

type ComplaintKey = Pick<ValidatorComplaintAnswer, 'created_at' | 'complaint_hash'>;

/** By time, ties by hash. */
function buildOrder(descending: boolean) {
  return (a: ComplaintKey, b: ComplaintKey): number =>
    (descending ? b.created_at - a.created_at : a.created_at - b.created_at) ||
    (a.complaint_hash === b.complaint_hash ? 0 : a.complaint_hash < b.complaint_hash ? -1 : 1);
}
