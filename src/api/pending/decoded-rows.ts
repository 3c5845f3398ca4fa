import type { BASE_TABLES } from '../../tables/base-tables.ts';
import { BaseColumns } from '../../ton/columns/base-columns.ts';
import { type ReadRow, readTable } from '../../ton/columns/column-reader.ts';
import { unpackMessages } from '../../ton/columns/message-pack.ts';
import { unpackStates } from '../../ton/columns/state-unpack.ts';
import { decodeBlock } from '../../ton/decode/decode-block.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { PendingBlock } from '../chain-port.ts';
import type { TransactionRow } from '../entities/transactions/model.ts';
import { toRawAddress } from '../query/account-id.ts';

type Decoded = ReadRow<typeof BASE_TABLES.transactions>;

/** Transactions and account cells of a block that is in no store. */
export interface DecodedBlock {
  /** As if read from a store: `mc_seqno` is 0 if no masterchain block committed it. */
  readonly rows: readonly TransactionRow[];
  /** Account cells after it by raw address, as bags; parts may be pruned. */
  readonly accounts: ReadonlyMap<string, Uint8Array>;
}

/** Decodes a block that is in no store. @throws BlockError */
export function decodedBlock(block: PendingBlock): DecodedBlock {
  const columns = new BaseColumns();
  const meta = { ...block, mcSeqno: block.mcSeqno ?? 0 };
  decodeBlock(block.boc, meta, columns, { verify: 'none', oldStatesBelowLt: 0n });
  const cells = readTable<typeof BASE_TABLES.account_cells>(columns.tables.account_cells);
  const bags = cells.map(({ workchain, account, boc }) => [toRawAddress(workchain, account), boc] as const);
  return { rows: toRows(columns), accounts: new Map(bags) };
}

/** The transactions of decoded columns, as if they were read from a store. */
export function toRows(columns: BaseColumns): TransactionRow[] {
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
