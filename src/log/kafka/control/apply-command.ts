import { applyClaim, applyJoin, applyLeave } from './apply-claims.ts';
import { applyEstablish, applyTopic } from './apply-identity.ts';
import { applyCommit, applyConfirm, applyJournal } from './apply-journal.ts';
import { applyTrim } from './apply-trim.ts';
import { applyReleaseWriter, applyRenewWriter, applyTakeWriter } from './apply-writer.ts';
import type { CommandName, Commands, Envelope } from './commands.ts';
import type { ControlState } from './control-state.ts';

type Apply = {
  [Name in CommandName]: (state: ControlState, args: Commands[Name]['args']) => Commands[Name]['result'];
};

const APPLY: Apply = {
  establish: applyEstablish,
  topic: applyTopic,
  takeWriter: applyTakeWriter,
  renewWriter: applyRenewWriter,
  releaseWriter: applyReleaseWriter,
  join: applyJoin,
  claim: applyClaim,
  leave: applyLeave,
  journal: applyJournal,
  confirm: applyConfirm,
  commit: applyCommit,
  trim: applyTrim,
};

/** The control log was written by a newer version of this program. */
export class NewerControlLogError extends Error {
  override readonly name = 'NewerControlLogError';
  readonly offset: number;
  constructor(offset: number, found: string) {
    super(
      `the control log holds ${found} at offset ${offset}, which this program does not know: use a newer program`,
    );
    this.offset = offset;
  }
}

/** What a command gave, or why it was refused; null for one that was applied before. */
export type Outcome = { readonly result: unknown } | { readonly refused: Error } | null;

/**
 * Applies one command at the broker's time `at`. Every check comes before the first change, so that a refused command
 * leaves the state as it was.
 */
export function applyCommand(state: ControlState, envelope: Envelope, offset: number, at: number): Outcome {
  const { v, client, seq, name, args } = envelope;
  if (v !== 1 || !Object.hasOwn(APPLY, name))
    throw new NewerControlLogError(offset, `${name} (version ${v})`);
  state.now = Math.max(state.now, at);
  const known = state.clients.get(client);
  if (known && known.seq >= seq) return null;
  state.clients.set(client, { seq, at: state.now });
  try {
    return {
      result: (APPLY[name as CommandName] as (state: ControlState, args: unknown) => unknown)(state, args),
    };
  } catch (refused) {
    if (refused instanceof Error) return { refused };
    throw refused;
  }
}

/** Processes that were silent for this long are gone. */
const CLIENT_MS = 3_600_000;

/** Forgets silent processes; part of every snapshot, so that all copies of the state forget the same. */
export function forgetClients(state: ControlState, at: number): void {
  state.now = Math.max(state.now, at);
  for (const [client, seen] of state.clients)
    if (seen.at < state.now - CLIENT_MS) state.clients.delete(client);
}
