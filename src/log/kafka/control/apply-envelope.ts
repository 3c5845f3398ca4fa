import { ConflictError } from '../../../platform/errors/error-kinds.ts';
import { applyCommand, isCommand } from '../../coordination/apply-command.ts';
import type { Commands } from '../../coordination/commands.ts';
import { advanceClock, type ControlState } from './control-state.ts';
import type { Envelope } from './envelope.ts';

/** The control log was written by a newer version of this program. */
export class NewerControlLogError extends ConflictError {
  readonly offset: number;
  constructor(offset: number, found: string) {
    super(
      `the control log has ${found} at offset ${offset}, which this program does not know: use a newer program`,
    );
    this.offset = offset;
  }
}

/** Result of a command, or why it was refused; null for one that was applied before. */
export type Outcome = { readonly result: unknown } | { readonly refused: Error } | null;

/** Applies one command of the control log at the broker's time `at`. */
export function applyEnvelope(state: ControlState, envelope: Envelope, offset: number, at: number): Outcome {
  const { v, client, seq, name, args } = envelope;
  if (v !== 1 || !isCommand(name)) throw new NewerControlLogError(offset, `${name} (version ${v})`);
  advanceClock(state, at);
  const known = state.clients.get(client);
  if (known && known.seq >= seq) return null;
  state.clients.set(client, { seq, at: state.now });
  try {
    // Its writer checked each command of the log.
    return { result: applyCommand(state, name, args as Commands[typeof name]['args']) };
  } catch (refused) {
    if (refused instanceof Error) return { refused };
    throw refused;
  }
}

/** Processes that were silent for this long are gone. */
const CLIENT_MS = 3_600_000;

/** Forgets silent processes; part of every snapshot, so that all copies of the state forget the same. */
export function forgetClients(state: ControlState, at: number): void {
  advanceClock(state, at);
  for (const [client, seen] of state.clients)
    if (seen.at < state.now - CLIENT_MS) state.clients.delete(client);
}
