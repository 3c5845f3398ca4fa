import type { RowParts } from '../../engine/projection/row-set.ts';
import { TableView } from '../../ton/kernel/table-view.ts';
import { FactWriter, type MessageFact, type MessageKind } from './trace-facts.ts';

/** Codes of the columns of `messages` (src/tables/messages.ts). */
const SIDE_IN = 1;
const EXTERNAL_IN = 1;
const EXTERNAL_OUT = 2;
const STANDARD = 2;

const NO_ACCOUNT = Buffer.alloc(32);

/** Keeps of decoded transactions and messages what traces are made of. */
export function packFacts(decoded: RowParts, spare: ArrayBuffer | null): RowParts {
  const views = TableView.all(decoded);
  const transactions = views.get('transactions');
  const messages = new DecodedMessages(views.get('messages'));
  const writer = new FactWriter(transactions?.rows ?? 0, messages.rows, spare);
  if (transactions) writeFacts(transactions, messages, writer);
  messages.expectEnd();
  return writer.parts();
}

function writeFacts(view: TableView, messages: DecodedMessages, writer: FactWriter): void {
  const [seqnos, workchains, times, lts, accounts, hashes] = (
    ['mc_seqno', 'workchain', 'now', 'lt', 'account', 'hash'] as const
  ).map((name) => view.streams(name)[0]) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer];
  for (let row = 0; row < view.rows; row++) {
    const hash = hashes.subarray(row * 32, row * 32 + 32);
    writer.add({
      position: seqnos.readUInt32LE(row * 4),
      workchain: workchains.readInt32LE(row * 4),
      utime: times.readUInt32LE(row * 4),
      lt: lts.readBigUInt64LE(row * 8),
      account: accounts.subarray(row * 32, row * 32 + 32),
      hash,
      messages: messages.takeMessages(hash),
    });
  }
}

/** Rows of `messages`, in the order of their transactions, the incoming one first. */
class DecodedMessages {
  readonly rows: number;
  readonly #columns: Readonly<Record<string, Buffer>>;
  #at = 0;

  constructor(view: TableView | undefined) {
    this.rows = view?.rows ?? 0;
    const names = [
      'side',
      'kind',
      'source_kind',
      'source_workchain',
      'source',
      'created_lt',
      'hash',
      'hash_norm',
    ];
    this.#columns = view
      ? Object.fromEntries([...names, 'tx_hash'].map((name) => [name, view.streams(name)[0] as Buffer]))
      : {};
  }

  /** The messages of a transaction: the rows that come next and name it. */
  takeMessages(transaction: Buffer): MessageFact[] {
    const found: MessageFact[] = [];
    while (this.#at < this.rows && this.#hash('tx_hash', this.#at).equals(transaction))
      found.push(this.#message(this.#at++));
    return found;
  }

  /** @throws Error where messages name no transaction in its place: the decoder's order has changed. */
  expectEnd(): void {
    if (this.#at < this.rows)
      throw new Error(
        `message row ${this.#at} of ${this.rows} names a transaction that is not at its position: ` +
          this.#hash('tx_hash', this.#at).toString('hex'),
      );
  }

  #message(row: number): MessageFact {
    const kind = this.#kind(row);
    return {
      kind,
      createdLt: (this.#columns.created_lt as Buffer).readBigUInt64LE(row * 8),
      hash: this.#hash('hash', row),
      hashNorm: kind === 'external' ? this.#hash('hash_norm', row) : null,
    };
  }

  #kind(row: number): MessageKind {
    const { side, kind } = this.#columns as { side: Buffer; kind: Buffer };
    if (side[row] !== SIDE_IN) return kind[row] === EXTERNAL_OUT ? 'log' : 'sent';
    if (kind[row] === EXTERNAL_IN) return 'external';
    return this.#isFromSystem(row) ? 'system' : 'internal';
  }

  /** The address -1:0…0, from which validators' rewards and recovered funds come. */
  #isFromSystem(row: number): boolean {
    const { source_kind: kinds, source_workchain: workchains } = this.#columns as Record<string, Buffer>;
    return (
      kinds?.[row] === STANDARD &&
      workchains?.readInt32LE(row * 4) === -1 &&
      this.#hash('source', row).equals(NO_ACCOUNT)
    );
  }

  #hash(column: string, row: number): Buffer {
    return (this.#columns[column] as Buffer).subarray(row * 32, row * 32 + 32);
  }
}
