import type { ElectorState, PastElection } from '../../../ton/contracts/elector/elector-state.ts';
import type { ValidatorSet } from '../../../ton/contracts/elector/validator-set.ts';
import type { HeldComplaint, HeldElection } from '../../staking/read-rounds.ts';
import type { ValidatorEvent } from '../../staking/read-validator-events.ts';
import type { ValidatorLimits } from '../../staking/read-validator-limits.ts';
import { isAnyValidator, isValidator, type ValidatorFilter } from '../parameters/validator-filter.ts';
import type {
  CycleValidatorAnswer,
  ElectionParticipantAnswer,
  ValidatorComplaintAnswer,
  ValidatorCycleAnswer,
  ValidatorElectionAnswer,
  ValidatorEventAnswer,
} from '../schemas/validators.ts';

const NO_SET = Buffer.alloc(32).toString('base64');
const NO_KEY = '0'.repeat(64);

/** ValidatorEvent of v3-more.md 4. */
export function validatorEventAnswer(event: ValidatorEvent): ValidatorEventAnswer {
  const { transaction, stake, reason } = event;
  return {
    type: event.type,
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    utime: transaction.now,
    stake_holder_address: event.account,
    ...(stake && {
      validator_pubkey: stake.publicKey,
      adnl_addr: stake.adnl,
      election_id: stake.electionId,
    }),
    query_id: `${event.queryId}`,
    amount: `${event.amount}`,
    ...(reason === undefined ? {} : { reason }),
  };
}

/** ValidatorElection of v3-more.md 4. `lists`: with its participants. */
export function electionAnswer(
  { election, set }: HeldElection,
  filter: ValidatorFilter,
  lists: boolean,
): ValidatorElectionAnswer {
  const places = new Map(set?.members.map(({ publicKey, index }) => [publicKey, index]));
  const participants = election.members
    .filter((member) => isValidator(filter, member))
    .map((member): ElectionParticipantAnswer => {
      const index = places.get(member.publicKey);
      return {
        validator_pubkey: member.publicKey,
        adnl_addr: member.adnl,
        stake: `${member.stake}`,
        max_factor: member.maxFactor,
        stake_holder_address: member.account,
        ...(index === undefined ? {} : { validator_index: index }),
      };
    })
    .sort((a, b) => byAmount(b.stake, a.stake) || (a.validator_pubkey < b.validator_pubkey ? -1 : 1));
  return {
    election_id: election.id,
    elect_close: election.close,
    min_stake: `${election.minStake}`,
    total_stake: `${election.totalStake}`,
    total_participants: election.members.length,
    failed: election.failed,
    finished: election.finished,
    ...(lists && participants.length > 0 ? { participants } : {}),
  };
}

function byAmount(a: string, b: string): number {
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A set, its round and its election, if the elector's state is held. */
export interface HeldCycle {
  readonly set: ValidatorSet;
  readonly round: PastElection | undefined;
  readonly election: ElectorState['election'];
  readonly limits: ValidatorLimits;
}

/** ValidatorCycle of v3-more.md 4, without its validators. */
export function cycleAnswer({ set, round, limits }: HeldCycle): ValidatorCycleAnswer {
  const stakes = new Map(round?.frozen.map(({ publicKey, stake }) => [publicKey, stake]));
  const own = set.members.flatMap(({ publicKey }) => stakes.get(publicKey) ?? []);
  const isComplete = own.length > 0 && own.length === set.members.length;
  const sorted = own.map(String).sort(byAmount);
  return {
    cycle_start: set.since,
    cycle_end: set.until,
    ...(round ? { election_id: round.id } : {}),
    total: set.total,
    main: set.main,
    total_weight: `${set.totalWeight}`,
    ...(round ? { total_stake: `${round.totalStake}` } : {}),
    ...(isComplete ? { min_stake: sorted[0] as string, max_stake: sorted.at(-1) as string } : {}),
    ...limits,
  };
}

/** The validators of a cycle that pass, by index. */
export function cycleValidators(
  { set, round, election }: HeldCycle,
  filter: ValidatorFilter,
  complaints: readonly ValidatorComplaintAnswer[],
): CycleValidatorAnswer[] {
  const stakes = new Map(round?.frozen.map((frozen) => [frozen.publicKey, frozen]));
  const members = election && election.id === round?.id ? election.members : [];
  const factors = new Map(members.map(({ publicKey, maxFactor }) => [publicKey, maxFactor]));
  return set.members
    .map((member) => ({ ...member, account: stakes.get(member.publicKey)?.account }))
    .filter((member) => isValidator(filter, member))
    .map(({ index, publicKey, adnl, weight }) => {
      const frozen = stakes.get(publicKey);
      const factor = factors.get(publicKey);
      return {
        validator_index: index,
        validator_pubkey: publicKey,
        adnl_addr: adnl ?? NO_KEY,
        weight: `${weight}`,
        ...(frozen && { stake_holder_address: frozen.account, stake: `${frozen.stake}` }),
        ...(factor === undefined ? {} : { max_factor: factor }),
        complaints: complaints.filter(({ validator_pubkey: accused }) => accused === publicKey),
      };
    });
}

/** True if each filter separately matches a member of a cycle. */
export function hasValidators({ set, round }: HeldCycle, filter: ValidatorFilter): boolean {
  if (isAnyValidator(filter)) return true;
  const { account, adnl, publicKey } = filter;
  return (
    (account === undefined || (round?.frozen.some((frozen) => frozen.account === account) ?? false)) &&
    (adnl === undefined || set.members.some((member) => member.adnl === adnl)) &&
    (publicKey === undefined || set.members.some((member) => member.publicKey === publicKey))
  );
}

/** ValidatorComplaint of v3-more.md 4. `voting`: the set whose votes are, or would be, counted; null if unknown. */
export function complaintAnswer(
  { complaint, round, set }: HeldComplaint,
  voting: ValidatorSet | null,
): ValidatorComplaintAnswer {
  const accused = set.members.find(({ publicKey }) => publicKey === complaint.publicKey);
  const holder = round.frozen.find(({ publicKey }) => publicKey === complaint.publicKey);
  const total = (voting ?? set).totalWeight;
  const required = (total * 2n) / 3n;
  const isVoted = complaint.votingSet !== NO_SET;
  const remaining = isVoted ? complaint.weightRemaining : required;
  return {
    election_id: round.id,
    cycle_start: set.since,
    complaint_hash: complaint.hash,
    validator_pubkey: complaint.publicKey,
    adnl_addr: accused?.adnl ?? null,
    ...(holder && { stake_holder_address: holder.account }),
    description_boc: complaint.description,
    created_at: complaint.createdAt,
    severity: complaint.severity,
    reward_address: complaint.rewardAccount,
    paid: `${complaint.paid}`,
    suggested_fine: `${complaint.suggestedFine}`,
    suggested_fine_part: complaint.suggestedFinePart,
    voted_validators: complaint.voters.map((index) => voterAnswer(index, voting)),
    vset_id: complaint.votingSet,
    weight_remaining: `${remaining}`,
    approved_percent: total === 0n ? 0 : Number(((required - remaining) * 100_000n) / total) / 1_000,
    is_passed: isVoted && remaining < 0n,
  };
}

function voterAnswer(index: number, voting: ValidatorSet | null) {
  const member = voting?.members.find((one) => one.index === index);
  return {
    validator_index: index,
    ...(member && { validator_pubkey: member.publicKey, weight: `${member.weight}` }),
    ...(member?.adnl && { adnl_addr: member.adnl }),
  };
}
