import { InvalidRequestError } from '../errors.ts';
import type { NewStep } from '../port.ts';

/** Prefix of the headers that the bus adds to a record; headers of records may not use it. */
const OWN = 'tonhouse.';
const POSITION = `${OWN}position`;
const EPOCH = `${OWN}epoch`;
/** On the last record of a step only. */
const ENDS_STEP = `${OWN}ends-step`;

/** A record's place in the chain, as it travels in Kafka's headers. */
export interface StepPlace {
  readonly position: number;
  readonly epoch: number;
  readonly endsStep: boolean;
}

export function withPlace(
  headers: Readonly<Record<string, string>>,
  { position, epoch }: NewStep,
  endsStep: boolean,
): Record<string, string> {
  const place = { [POSITION]: String(position), [EPOCH]: String(epoch) };
  return { ...headers, ...place, ...(endsStep ? { [ENDS_STEP]: '1' } : {}) };
}

/** The record's own headers and its place, apart. */
export function splitPlace(headers: Readonly<Record<string, string>>): {
  readonly own: Record<string, string>;
  readonly place: StepPlace;
} {
  const own: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) if (!name.startsWith(OWN)) own[name] = value;
  const place = {
    position: Number(headers[POSITION]),
    epoch: Number(headers[EPOCH]),
    endsStep: headers[ENDS_STEP] === '1',
  };
  return { own, place };
}

/** @throws InvalidRequestError */
export function checkHeaders(where: string, headers: Readonly<Record<string, string>>): void {
  const taken = Object.keys(headers).find((name) => name.startsWith(OWN));
  if (taken) throw new InvalidRequestError(where, `headers that do not begin with ${OWN}`, taken);
}
