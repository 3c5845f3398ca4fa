import { DETAILS } from '../../src/api/entities/transactions/model.ts';
import { BASE_TABLES } from '../../src/ton/columns/tables.ts';

type Columns = Readonly<Record<string, string>>;

const COLUMNS: Columns = BASE_TABLES.transactions;
/** Columns that rise with the order of the rows. */
const RISING = new Set(['mc_seqno', 'seqno', 'lt', 'prev_trans_lt', 'now']);
/**
 * Columns of the landing table that are stored inside the packed column of `transaction_payloads` only. No statement of ours filters
 * by these hashes, and a copy would compress to nothing less.
 */
const PACKED_ONLY = new Set([
  'messages',
  'states',
  'prev_trans_hash',
  'state_hash_before',
  'state_hash_after',
]);

/** The text with the columns of `transactions` and the list of details of the packed column as decoding yields them. */
export function transactionsSql(text: string): string {
  return withDetails(withColumns(text));
}

/** Writes the lines between the opening bracket and the first column that decoding does not yield. */
function withColumns(text: string): string {
  const start = text.indexOf('(\n', text.indexOf('CREATE TABLE')) + 2;
  const names = Object.keys(COLUMNS).filter((name) => !PACKED_ONLY.has(name));
  const remaining = text.slice(start).split('\n');
  const end = remaining.findIndex((line) => !isTyped(line));
  const lines = names.map((name) => `    ${name} ${COLUMNS[name]} CODEC(${getCodec(name)}),`);
  return [text.slice(0, start) + lines.join('\n'), ...remaining.slice(end)].join('\n');
}

/** The line of a column that decoding yields. */
function isTyped(line: string): boolean {
  const [, name] = /^ {4}([a-z_]+) .*,$/.exec(line) ?? [];
  return name !== undefined && name in COLUMNS && !PACKED_ONLY.has(name);
}

function getCodec(name: string): string {
  const type = COLUMNS[name] as string;
  if (RISING.has(name)) return 'Delta, ZSTD(1)';
  if (type === 'FixedString(32)') return 'LZ4';
  return type.startsWith('Map(') ? 'ZSTD(3)' : 'ZSTD(1)';
}

const LIST_START = "formatRow('RowBinary',\n";
const LIST_END = ') AS details';

function withDetails(text: string): string {
  const start = text.indexOf(LIST_START) + LIST_START.length;
  const end = text.indexOf(LIST_END, start);
  const lines = DETAILS.map((name) => `        ${name}`);
  return `${text.slice(0, start)}${lines.join(',\n')}${text.slice(end)}`;
}
