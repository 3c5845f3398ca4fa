import { MESSAGE_FIELDS, messagePayloadSql } from '../../src/api/entities/messages/payload.ts';
import { BASE_TABLES } from '../../src/ton/columns/tables.ts';
import { bytes, fixed, getWidth, number, plainAlias } from './packed-alias.ts';
import { withColumns, withExpression } from './packed-sql.ts';

const COLUMNS: Readonly<Record<string, string>> = BASE_TABLES.messages;

/** Codecs of the columns next to the payload: filtered or summed ones, and those that no alias can produce. */
const STORED: Readonly<Record<string, string>> = {
  mc_seqno: 'Delta, ZSTD(1)',
  side: 'ZSTD(1)',
  kind: 'ZSTD(1)',
  created_lt: 'Delta, ZSTD(1)',
  created_at: 'Delta, ZSTD(1)',
  value: 'ZSTD(1)',
  value_extra: 'ZSTD(3)',
  opcode: 'ZSTD(1)',
  tx_workchain: 'ZSTD(1)',
  tx_account: 'LZ4',
  tx_lt: 'Delta, ZSTD(1)',
  listed: 'ZSTD(1)',
};

/** The text with the columns of the table, and the payload of its view, as decoding yields them. */
export function messagesSql(text: string): string {
  return withExpression(withColumns(text, COLUMNS, storedAs), messagePayloadSql);
}

function storedAs(name: string): string {
  const codec = STORED[name];
  return codec ? `CODEC(${codec})` : `ALIAS ${buildAlias(name)}`;
}

function buildAlias(name: string): string {
  if (name === 'hash_norm') return `if(kind = 'ext_in', ${fixed(getPlace('hash_norm', /^if/) + 1)}, hash)`;
  const buildLength = (column: string) => `reinterpretAsUInt32(${bytes(getPlace(column, /length/), 4)})`;
  if (name === 'init') return `right(payload, ${buildLength('init')})`;
  if (name === 'body')
    return `substring(payload, length(payload) - ${buildLength('init')} - ${buildLength('body')} + 1, ${buildLength('body')})`;
  if (name === 'extra_flags')
    return `if(${bytes(getPlace(name, /^isNull/), 1)} = char(1), NULL, ${number('UInt128', getPlace(name, /^ifNull/))})`;
  return plainAlias(COLUMNS[name] as string, getPlace(name));
}

/** Start of a field in the payload, from 1; all fields before it have a fixed size. */
function getPlace(name: string, like = /^\w+$/): number {
  let place = 2;
  for (const [column, expression = column] of MESSAGE_FIELDS) {
    if (column === name && like.test(expression)) return place;
    place += expression === column ? getWidth(COLUMNS[column] as string) : widthOfExpression(expression);
  }
  throw new RangeError(`no field ${name} of the payload of messages`);
}

function widthOfExpression(expression: string): number {
  const type = /to(UInt\d+)\(/.exec(expression)?.[1];
  return type ? getWidth(type) : 1;
}
