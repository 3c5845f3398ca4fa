import { applyCommand } from '../coordination/apply-command.ts';
import type { CommandName, Commands } from '../coordination/commands.ts';
import {
  type CoordinationScope,
  loadCoordination,
  saveCoordination,
  saveSession,
} from './coordination-rows.ts';
import type { LogStore } from './log-store.ts';

/** Commands that look at the topic itself. */
const OF_TOPICS: ReadonlySet<CommandName> = new Set(['join', 'joinPartitions']);

/**
 * Runs a command of the coordination within the current transaction: reads the needed state from the tables, applies
 * the command, and writes the changes. Throws the command's refusal; then nothing was written.
 */
export function decide<Name extends CommandName>(
  store: LogStore,
  name: Name,
  args: Commands[Name]['args'],
): Commands[Name]['result'] {
  const scope: CoordinationScope = { ...args, withTopic: OF_TOPICS.has(name) };
  const state = loadCoordination(store, scope);
  const before = structuredClone(state);
  const result = applyCommand(state, name, args);
  saveCoordination(store, before, state);
  if ('sessionMs' in args) saveSession(store, args.owner, args.sessionMs);
  return result;
}

/** Like `decide`, in a transaction of its own: decisions of all processes that share the files have one order. */
export function execute<Name extends CommandName>(
  store: LogStore,
  name: Name,
  args: Commands[Name]['args'],
): Commands[Name]['result'] {
  return store.log.transaction(() => decide(store, name, args));
}
