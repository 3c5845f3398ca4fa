import { accountOfRaw } from '../query/account-id.ts';
import type { ReadScope } from '../query/scope.ts';
import { type Described, describeAddresses } from '../v3/answers/describe-addresses.ts';
import { readAddressBook } from '../v3/answers/read-address-book.ts';
import type { Position } from './position.ts';
import type { Subscribed } from './subscription-index.ts';

/** How a transport writes an event: a constant, so that what it makes of an event serves all of its streams. */
export type EventFrame = (event: FramedEvent) => string;

/** A written event; `position` null: it has no position in the chain, and no id. */
export interface FramedEvent {
  readonly position: Position | null;
  readonly json: string;
}

/** An event that is ready to be sent. */
export class StreamEvent implements FramedEvent {
  readonly position: Position;
  readonly #write: () => string;
  #text: string | null = null;
  readonly #frames = new Map<EventFrame, Buffer>();

  constructor(position: Position, write: () => string) {
    this.position = position;
    this.#write = write;
  }

  /** One JSON object (streaming.md 6). Written when it is first sent: until then an event takes no memory to speak of. */
  get json(): string {
    this.#text ??= this.#write();
    return this.#text;
  }

  /** Its bytes in a frame, made once for all streams that write it so. */
  framed(frame: EventFrame): Buffer {
    const known = this.#frames.get(frame);
    if (known) return known;
    const bytes = Buffer.from(frame(this));
    this.#frames.set(frame, bytes);
    return bytes;
  }
}

/** An event and who is sent it. */
export interface Addressed<T> {
  readonly to: T;
  readonly event: StreamEvent;
}

/** An event before the address book is known. */
export interface Draft<T extends Subscribed> {
  readonly to: T;
  readonly position: Position;
  /** Equal where position and text are: many clients may want the same. */
  readonly key: string;
  /** The JSON object up to its closing brace. */
  text(): string;
  /** Raw addresses that the address book explains; null: the event has no address book. */
  addresses(): readonly string[] | null;
}

const NOTHING: Described = { address_book: {}, metadata: {} };

/** Writes events, with address book and metadata on request. */
export async function writeEvents<T extends Subscribed>(
  scope: ReadScope,
  drafts: readonly Draft<T>[],
): Promise<readonly Addressed<T>[]> {
  const described = await describe(scope, drafts);
  const written = new Map<string, StreamEvent>();
  return drafts.map((draft) => {
    const { withBook, withMetadata } = draft.to.subscription;
    const { seqno, ordinal } = draft.position;
    const key = `${seqno}-${ordinal} ${withBook} ${withMetadata} ${draft.key}`;
    const event =
      written.get(key) ??
      new StreamEvent(draft.position, () => `${draft.text()}${bookText(draft, described)}}`);
    written.set(key, event);
    return { to: draft.to, event };
  });
}

/** Address book and metadata of all addresses of events that want them. */
async function describe<T extends Subscribed>(
  scope: ReadScope,
  drafts: readonly Draft<T>[],
): Promise<Described> {
  const wanting = drafts.filter(({ to }) => to.subscription.withBook || to.subscription.withMetadata);
  if (wanting.length === 0) return NOTHING;
  const addresses = [...new Set(wanting.flatMap((draft) => draft.addresses() ?? []))];
  const metadata = wanting.some(({ to }) => to.subscription.withMetadata);
  const addressBook = wanting.some(({ to }) => to.subscription.withBook);
  const { contracts } = scope.added;
  if (!contracts)
    return { address_book: await readAddressBook(scope, addresses.map(accountOfRaw)), metadata: {} };
  const withContracts = { ...scope, databases: { ...scope.databases, contracts: contracts.database } };
  return describeAddresses(withContracts as ReadScope<'base' | 'contracts'>, addresses, {
    addressBook,
    metadata,
  });
}

function bookText<T extends Subscribed>(draft: Draft<T>, described: Described): string {
  const { withBook, withMetadata } = draft.to.subscription;
  const addresses = withBook || withMetadata ? draft.addresses() : null;
  if (addresses === null) return '';
  const book = withBook ? `,"address_book":${JSON.stringify(pick(described.address_book, addresses))}` : '';
  return withMetadata ? `${book},"metadata":${JSON.stringify(pick(described.metadata, addresses))}` : book;
}

function pick<V>(all: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> {
  const found: Record<string, V> = {};
  for (const name of names) {
    const value = all[name];
    if (value !== undefined) found[name] = value;
  }
  return found;
}
