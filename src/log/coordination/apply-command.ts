import { applyClaim, applyJoin, applyJoinPartitions, applyLeave } from './apply-claims.ts';
import { applyEstablish, applyTopic } from './apply-identity.ts';
import { applyCommit, applyConfirm, applyJournal } from './apply-journal.ts';
import { applyTrim } from './apply-trim.ts';
import { applyReleaseWriter, applyRenewWriter, applyTakeWriter } from './apply-writer.ts';
import type { CommandName, Commands } from './commands.ts';
import type { CoordinationState } from './coordination-state.ts';

type Apply = {
  [Name in CommandName]: (state: CoordinationState, args: Commands[Name]['args']) => Commands[Name]['result'];
};

const APPLY: Apply = {
  establish: applyEstablish,
  topic: applyTopic,
  takeWriter: applyTakeWriter,
  renewWriter: applyRenewWriter,
  releaseWriter: applyReleaseWriter,
  join: applyJoin,
  joinPartitions: applyJoinPartitions,
  claim: applyClaim,
  leave: applyLeave,
  journal: applyJournal,
  confirm: applyConfirm,
  commit: applyCommit,
  trim: applyTrim,
};

/** Whether this program knows the command. */
export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(APPLY, name);
}

/**
 * Applies a command to the state and returns its result, or throws its refusal. It has no other inputs or effects.
 * Every check precedes the first change, so a refused command leaves the state unchanged.
 */
export function applyCommand<Name extends CommandName>(
  state: CoordinationState,
  name: Name,
  args: Commands[Name]['args'],
): Commands[Name]['result'] {
  return APPLY[name](state, args);
}
