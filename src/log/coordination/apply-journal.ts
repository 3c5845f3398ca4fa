import { JournalConflictError } from '../errors.ts';
import type { JournalEntry } from '../port.ts';
import type { Commands, LaneRight } from './commands.ts';
import type { CoordinationState, LaneState } from './coordination-state.ts';
import { checkLease, checkLiveLease, freeLane, laneResource } from './lane-rights.ts';

export const describeEntry = ({ epoch, from, next, attempt }: JournalEntry) =>
  `${from}..${next} of epoch ${epoch}, attempt ${attempt}`;

/** Records the intent of a batch; the same range again only with a higher attempt. */
export function applyJournal(state: CoordinationState, args: Commands['journal']['args']): undefined {
  const lane = checkLiveLease(state, args);
  if (lane.pending) checkRepeat(args, lane.pending);
  else checkRange(args, lane);
  lane.pending = args.entry;
}

function checkRepeat(args: Commands['journal']['args'], pending: JournalEntry): void {
  const { entry } = args;
  const same = (['lane', 'epoch', 'from', 'next'] as const).every((field) => pending[field] === entry[field]);
  if (same && entry.attempt > pending.attempt) return;
  throw conflict(
    args,
    `${describeEntry(pending)} to be confirmed or tried again with a higher attempt`,
    describeEntry(entry),
  );
}

/** The caller checked the range against the log; here, that the check used this state of the lane. */
function checkRange(args: Commands['journal']['args'], lane: LaneState): void {
  const { entry, checkedAt, problem } = args;
  const found = `lane ${entry.lane}, ${describeEntry(entry)}`;
  if (entry.lane !== lane.lane) throw conflict(args, `lane ${lane.lane}`, found);
  if (checkedAt !== lane.committed) throw conflict(args, `a batch from offset ${lane.committed}`, found);
  if (problem !== null) throw conflict(args, problem, found);
}

/** The batch is in the sink: the entry goes and the committed offset moves, together. */
export function applyConfirm(state: CoordinationState, args: Commands['confirm']['args']): undefined {
  const lane = checkLease(state, args);
  const expected = lane.pending ? describeEntry(lane.pending) : 'nothing to confirm';
  const found = describeEntry(args.entry);
  if (!lane.pending || expected !== found || args.entry.lane !== lane.lane)
    throw conflict(args, expected, found);
  setCommitted(lane, args.entry.next);
  lane.pending = null;
}

/** Moves the committed offset of a lane without a journal; forwards only, up to the published end. */
export function applyCommit(state: CoordinationState, args: Commands['commit']['args']): undefined {
  const lane = checkLease(state, args);
  const { next, end } = args;
  if (lane.pending) throw conflict(args, `${describeEntry(lane.pending)} confirmed`, `commit ${next}`);
  if (!Number.isSafeInteger(next) || next < lane.committed || next > end)
    throw conflict(args, `an offset within ${lane.committed}..${end}`, String(next));
  setCommitted(lane, next);
}

function setCommitted(lane: LaneState, committed: number): void {
  lane.committed = committed;
  // The lane was taken back for another member and waited for this batch only.
  if (lane.revoked) freeLane(lane);
}

function conflict(right: LaneRight, expected: string, found: string): JournalConflictError {
  return new JournalConflictError(laneResource(right), expected, found);
}
