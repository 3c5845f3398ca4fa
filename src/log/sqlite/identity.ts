import type { LogIdentity } from '../port.ts';
import { LogNotEstablishedError } from './errors.ts';
import type { LogStore } from './log-store.ts';

export function readIdentity({ log }: LogStore): LogIdentity | null {
  const row = log.get<{ value: string }>("SELECT value FROM meta WHERE name = 'identity'");
  return row ? (JSON.parse(row.value) as LogIdentity) : null;
}

/** The identity, which every lane and epoch depends on. */
export function requireIdentity(store: LogStore): LogIdentity {
  const identity = readIdentity(store);
  if (!identity) throw new LogNotEstablishedError(store.directory);
  return identity;
}
