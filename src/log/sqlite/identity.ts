import { IdentityMismatchError } from '../errors.ts';
import type { LogIdentity } from '../port.ts';
import { InvalidRequestError, LogNotEstablishedError } from './errors.ts';
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

export function establish(store: LogStore, wanted: LogIdentity): void {
  for (const field of ['epochSize', 'lanes'] as const) {
    if (!Number.isSafeInteger(wanted[field]) || wanted[field] < 1)
      throw new InvalidRequestError(`identity.${field}`, 'a positive integer', String(wanted[field]));
  }
  store.log.transaction(() => {
    const recorded = readIdentity(store);
    if (recorded) compare(recorded, wanted);
    else store.log.run("INSERT INTO meta VALUES ('identity', ?)", JSON.stringify(wanted));
  });
}

function compare(recorded: LogIdentity, wanted: LogIdentity): void {
  for (const field of ['network', 'id', 'epochSize', 'lanes'] as const) {
    if (recorded[field] !== wanted[field])
      throw new IdentityMismatchError(field, String(recorded[field]), String(wanted[field]));
  }
  for (const fact of new Set([...Object.keys(recorded.facts), ...Object.keys(wanted.facts)])) {
    const [before, now] = [recorded.facts[fact] ?? '(absent)', wanted.facts[fact] ?? '(absent)'];
    if (before !== now) throw new IdentityMismatchError(`facts.${fact}`, before, now);
  }
}
