import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { staleColumnSql } from '../../../scripts/generate-column-sql.ts';

const MESSAGES = 'clickhouse/base/0010_messages.sql';
const INDEXES = 'clickhouse/base/0011_message_indexes.sql';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'tonhouse-column-sql-'));
  cpSync(join(import.meta.dirname, '../../../clickhouse'), join(root, 'clickhouse'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const change = (file: string, from: string, to: string) => {
  expect(read(file)).toContain(from);
  writeFileSync(join(root, file), read(file).replace(from, to));
};

describe('generated statements of migrations', () => {
  it('are those of the files', () => {
    expect(staleColumnSql(root, false)).toEqual([]);
  });

  it('may have other line breaks and comments', () => {
    change(INDEXES, '-- Body hash -> key', '-- Hash of the body -> key');
    change(MESSAGES, '        mc_seqno,\n        side,', 'mc_seqno, side,');
    expect(staleColumnSql(root, false)).toEqual([]);
  });

  it.each([
    ['a type', MESSAGES, 'created_at UInt32 COMMENT', 'created_at UInt64 COMMENT'],
    ['a comment of a column', MESSAGES, "COMMENT 'Hash of the message", "COMMENT 'The hash of the message"],
    ['a place of an alias', MESSAGES, 'substring(payload, 257, 32)', 'substring(payload, 258, 32)'],
    ['a field of the payload', MESSAGES, 'isNull(opcode),\n', ''],
    ['the layout', MESSAGES, 'char(1), formatRow', 'char(2), formatRow'],
    ['a filter of a view', INDEXES, 'WHERE listed', 'WHERE NOT listed'],
    ['an order', INDEXES, 'ORDER BY norm8', 'ORDER BY hash8'],
  ])('are written again if %s differs', (_, file, from, to) => {
    const before = read(file);
    change(file, from, to);
    expect(staleColumnSql(root, false)).toEqual([file]);
    staleColumnSql(root, true);
    expect(staleColumnSql(root, false)).toEqual([]);
    expect(read(file).replaceAll(/\s+/g, '')).toBe(before.replaceAll(/\s+/g, ''));
  });

  it('go to a migration of their own if no file has them', () => {
    const from = read(INDEXES).indexOf('-- Opcode');
    const [kept, cut] = [read(INDEXES).slice(0, from), read(INDEXES).slice(from)];
    writeFileSync(join(root, INDEXES), kept);
    const file = 'clickhouse/base/0024_messages_by_opcode.sql';
    expect(staleColumnSql(root, true)).toEqual([file]);
    expect(staleColumnSql(root, false)).toEqual([]);
    const text = cut.replaceAll(/--.*\n/g, '').replaceAll(/\s+/g, '');
    expect(read(file).replaceAll(/\s+/g, '')).toBe(text);
  });
});
