import type { TableView } from '../../ton/kernel/table-view.ts';
import { hashAt, StringCursor } from './decoded-rows.ts';
import type { TransferFact } from './fact.ts';
import type { IsOwn } from './own-part.ts';
import { movesTokens, readTransferBody } from './transfer-body.ts';

/** Codes of enums of the decoded rows. */
const IN = 1;
const INTERNAL = 0;
const STANDARD = 2;

/** Fields of a transaction that rows of `messages` lack: its time and outcome, from `transactions`. */
interface Outcome {
  readonly now: number;
  readonly isAborted: boolean;
}

/** The received messages of decoded rows that move tokens, in their order. `isOwn`: of which accounts. */
export function* transferFacts(
  messages: TableView,
  transactions: TableView,
  isOwn: IsOwn,
): Generator<TransferFact> {
  const bodies = new StringCursor(messages, 'body');
  const [isNull, opcodes] = messages.streams('opcode') as [Buffer, Buffer];
  let outcomes: Map<string, Outcome> | null = null;
  for (let row = 0; row < messages.rows; row++) {
    const bytes = bodies.next();
    if (isNull[row] === 1 || messages.uint8('side', row) !== IN || messages.uint8('kind', row) !== INTERNAL)
      continue;
    const opcode = opcodes.readUInt32LE(row * 4);
    // Bodies of bounced messages begin with other bits.
    if (!movesTokens(opcode) || !isOwn(hashAt(messages, 'tx_account', row))) continue;
    const body = readTransferBody(opcode, bytes);
    outcomes ??= readOutcomes(transactions);
    const hash = hashAt(messages, 'tx_hash', row);
    const outcome = outcomes.get(hash.toString('latin1'));
    if (!body || !outcome) continue;
    yield { ...body, ...outcome, ...messageFields(messages, row), type: 'transfer', hash };
  }
}

function messageFields(messages: TableView, row: number) {
  const isStandard = messages.uint8('source_kind', row) === STANDARD;
  return {
    position: messages.uint32('mc_seqno', row),
    account: {
      workchain: messages.int32('tx_workchain', row),
      address: hashAt(messages, 'tx_account', row),
    },
    lt: messages.uint64('tx_lt', row),
    source: isStandard
      ? { workchain: messages.int32('source_workchain', row), address: hashAt(messages, 'source', row) }
      : null,
  };
}

function readOutcomes(transactions: TableView): Map<string, Outcome> {
  return new Map(
    Array.from({ length: transactions.rows }, (_, row) => [
      hashAt(transactions, 'hash', row).toString('latin1'),
      { now: transactions.uint32('now', row), isAborted: transactions.uint8('aborted', row) === 1 },
    ]),
  );
}
