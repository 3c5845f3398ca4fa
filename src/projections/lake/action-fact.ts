/** An action as the projection `actions` stores it. */
export interface ActionFact {
  /** The step that completed its trace. */
  readonly position: number;
  readonly type: string;
  /** Base64. */
  readonly traceId: string;
  readonly actionId: string;
  /** Base64. */
  readonly txHashes: readonly string[];
  /** As the API returns them. */
  readonly details: Details;
}

/** A JSON object of addresses (raw text), amounts (decimal text) and nested objects. */
export type Details = Readonly<Record<string, unknown>>;

/** A text field; empty if it is absent or null. */
export function getText(details: Details, name: string): string {
  const value = details[name];
  return typeof value === 'string' ? value : '';
}

/** An amount; null if the field is absent, null or no whole number. */
export function getAmount(details: Details, name: string): bigint | null {
  const value = details[name];
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value < 0 ? null : BigInt(value);
  return typeof value === 'string' && /^\d{1,77}$/.test(value) ? BigInt(value) : null;
}

/** A nested object; empty if it is absent or null. */
export function getObject(details: Details, name: string): Details {
  const value = details[name];
  return typeof value === 'object' && value !== null ? (value as Details) : {};
}

/** A transaction of an action, with its messages. */
export interface TransactionFact {
  /** Base64. */
  readonly hash: string;
  /** Raw text. */
  readonly account: string;
  readonly lt: bigint;
  readonly now: number;
  readonly messages: readonly MessageFact[];
}

/** A message; addresses are raw text, null for none and other forms. */
export interface MessageFact {
  readonly direction: 'in' | 'out';
  readonly opcode: number | null;
  readonly bounced: boolean;
  readonly source: string | null;
  readonly destination: string | null;
  /** Nanotons. */
  readonly value: bigint;
  readonly fwdFee: bigint;
  /** A bag of cells. */
  readonly body: Uint8Array;
}

/** The message that a transaction received; absent for special transactions. */
export function getIncoming({ messages }: TransactionFact): MessageFact | undefined {
  return messages.find(({ direction }) => direction === 'in');
}
