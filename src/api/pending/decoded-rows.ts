import { BaseColumns } from '../../ton/columns/base-columns.ts';
import { type ReadRow, readTable } from '../../ton/columns/column-reader.ts';
import { unpackMessages } from '../../ton/columns/message-pack.ts';
import { unpackStates } from '../../ton/columns/state-unpack.ts';
import type { BASE_TABLES } from '../../ton/columns/tables.ts';
import { decodeBlock } from '../../ton/decode/decode-block.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { PendingBlock } from '../chain-port.ts';
import type { TransactionRow } from '../read/transaction-row.ts';

type Decoded = ReadRow<typeof BASE_TABLES.transactions>;

/**
 * The transactions of a block that is in no store, as if they were read from one: `mc_seqno` is 0 where no masterchain
 * block committed it.
 * @throws BlockError
 */
export function decodedRows(block: PendingBlock): TransactionRow[] {
  const columns = new BaseColumns();
  const meta = { ...block, mcSeqno: block.mcSeqno ?? 0 };
  decodeBlock(block.boc, meta, columns, { verify: 'none', oldStatesBelowLt: 0n });
  return readTable<typeof BASE_TABLES.transactions>(columns.tables.transactions).map(transactionRow);
}

function transactionRow(decoded: Decoded): TransactionRow {
  const row: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(decoded)) row[name] = jsonValue(value);
  const { account, messages, states, split_info: splitInfo } = decoded;
  row.account = account.toHex().toUpperCase();
  row.messages = unpackMessages(messages);
  row.states = unpackStates(states);
  row.split_info = splitInfo.length > 0 ? splitInfo : null;
  return row as unknown as TransactionRow;
}

/** The value as a query result has it (read/json-value.ts). */
function jsonValue(value: Decoded[keyof Decoded]): unknown {
  if (typeof value === 'bigint') return `${value}`;
  if (value instanceof Uint8Array) return toBase64(value);
  if (Array.isArray(value)) return Object.fromEntries(value.map(([id, amount]) => [id, `${amount}`]));
  return value;
}
