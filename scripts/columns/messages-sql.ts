import { MESSAGE_FIELDS, messagePayloadSql } from '../../src/api/read/message-payload.ts';
import { BASE_TABLES } from '../../src/ton/columns/tables.ts';
import { bytes, fixed, number, plainAlias, widthOf } from './packed-alias.ts';
import { withColumns, withExpression } from './packed-sql.ts';

const COLUMNS: Readonly<Record<string, string>> = BASE_TABLES.messages;

/** Codecs of the columns next to the payload: filtered or summed ones, and those that no alias can produce. */
const KEPT: Readonly<Record<string, string>> = {
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
  return withExpression(withColumns(text, COLUMNS, storedAs), (separator) =>
    messagePayloadSql(undefined, separator),
  );
}

function storedAs(name: string): string {
  const codec = KEPT[name];
  return codec ? `CODEC(${codec})` : `ALIAS ${aliasOf(name)}`;
}

function aliasOf(name: string): string {
  if (name === 'hash_norm') return `if(kind = 'ext_in', ${fixed(placeOf('hash_norm', /^if/) + 1)}, hash)`;
  const lengthOf = (column: string) => `reinterpretAsUInt32(${bytes(placeOf(column, /length/), 4)})`;
  if (name === 'init') return `right(payload, ${lengthOf('init')})`;
  if (name === 'body')
    return `substring(payload, length(payload) - ${lengthOf('init')} - ${lengthOf('body')} + 1, ${lengthOf('body')})`;
  if (name === 'extra_flags')
    return `if(${bytes(placeOf(name, /^isNull/), 1)} = char(1), NULL, ${number('UInt128', placeOf(name, /^ifNull/))})`;
  return plainAlias(COLUMNS[name] as string, placeOf(name));
}

/** Start of a field in the payload, from 1; all fields before it have a fixed size. */
function placeOf(name: string, like = /^\w+$/): number {
  let place = 2;
  for (const [column, expression = column] of MESSAGE_FIELDS) {
    if (column === name && like.test(expression)) return place;
    place += expression === column ? widthOf(COLUMNS[column] as string) : widthOfExpression(expression);
  }
  throw new RangeError(`no field ${name} of the payload of messages`);
}

function widthOfExpression(expression: string): number {
  const type = /to(UInt\d+)\(/.exec(expression)?.[1];
  return type ? widthOf(type) : 1;
}
