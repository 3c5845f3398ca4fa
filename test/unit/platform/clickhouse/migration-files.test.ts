import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROJECTIONS } from '../../../../pipelines/projections.ts';
import { expandMacros } from '../../../../src/platform/clickhouse/migrations/macros.ts';
import { MigrationError } from '../../../../src/platform/clickhouse/migrations/migration-errors.ts';
import {
  readMigrationFiles,
  schemaFingerprint,
} from '../../../../src/platform/clickhouse/migrations/migration-files.ts';
import { splitStatements } from '../../../../src/platform/clickhouse/migrations/sql-statements.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tonhouse-migrations-'));
  mkdirSync(join(directory, 'base'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const VIEW = 'CREATE VIEW IF NOT EXISTS {db}.one{cluster} AS SELECT 1';
const put = (name: string, text = VIEW) => writeFileSync(join(directory, 'base', name), text);

describe('readMigrationFiles', () => {
  it('reads files in the order of their numbers, with a checksum that line ends do not change', () => {
    put('0002_b.sql', `${VIEW};\r\n${VIEW};\r\n`);
    put('0001_a.sql');
    const files = readMigrationFiles(directory, 'base');
    expect(files.map((file) => file.name)).toEqual(['base/0001_a.sql', 'base/0002_b.sql']);
    put('0002_b.sql', `${VIEW};\n${VIEW};\n`);
    expect(readMigrationFiles(directory, 'base')[1]?.checksum).toBe(files[1]?.checksum);
    expect(files[0]?.checksum).toMatch(/^[0-9a-f]{64}$/);
  });

  it.each([
    ['a gap', ['0001_a.sql', '0003_c.sql'], '0003_c.sql'],
    ['a number twice', ['0001_a.sql', '0001_b.sql'], '0001_b.sql'],
    ['a start above 1', ['0002_a.sql'], '0002_a.sql'],
    ['a foreign file', ['0001_a.sql', 'notes.txt'], 'notes.txt'],
  ])('refuses %s, naming the file', (_, names, culprit) => {
    for (const name of names) put(name);
    const read = () => readMigrationFiles(directory, 'base');
    expect(read).toThrow(MigrationError);
    expect(read).toThrow(culprit);
  });

  it.each([
    'ALTER TABLE {db}.one{cluster} ADD COLUMN x UInt8',
    'DROP TABLE IF EXISTS {db}.one{cluster}',
    'INSERT INTO {db}.one SELECT 1',
    'CREATE OR REPLACE VIEW {db}.one{cluster} AS SELECT 1',
    'CREATE TABLE {db}.one{cluster} (x UInt8) ENGINE = Null',
  ])('refuses what does not only create: %s', (statement) => {
    put('0001_a.sql', `${VIEW};\n${statement};`);
    expect(() => readMigrationFiles(directory, 'base')).toThrow('migrations only create');
  });
});

describe('schemaFingerprint', () => {
  const fingerprint = () => schemaFingerprint(readMigrationFiles(directory, 'base'));

  it('does not depend on comments, line breaks and files', () => {
    put('0001_a.sql', `${VIEW};`);
    put('0002_b.sql', `${VIEW.replace('one', 'two')};`);
    const before = fingerprint();
    rmSync(join(directory, 'base', '0002_b.sql'));
    put('0001_a.sql', `-- both\n${VIEW.replace(' AS ', '\n  AS\n')};\n${VIEW.replace('one', 'two')}`);
    expect(fingerprint()).toBe(before);
    put('0001_a.sql', VIEW);
    expect(fingerprint()).not.toBe(before);
  });
});

describe('comments of columns and tables', () => {
  const read = (text: string) => {
    put('0001_a.sql', text);
    const files = readMigrationFiles(directory, 'base');
    return [files[0]?.checksum, schemaFingerprint(files)];
  };
  const create = (column: string, end: string) =>
    `CREATE TABLE IF NOT EXISTS {db}.one{cluster}\n(\n    x UInt8${column} CODEC(LZ4)\n)\nENGINE = Null${end};\n`;

  it('change neither the checksum of a file nor the fingerprint', () => {
    const bare = read(create('', ''));
    expect(read(create(` COMMENT 'A "word"; it\\'s one.'`, "\nCOMMENT 'A table.'"))).toEqual(bare);
    expect(read(create(` DEFAULT 1`, ''))).not.toEqual(bare);
  });
});

const ROOT = join(import.meta.dirname, '../../../../clickhouse');

/** Stores of earlier releases have applied these files: `migrate` refuses a changed one. */
const APPLIED_META = '14845d79512db5bd985aff2e4c9679accc7069f910d24379646f1baa905a123f';

describe('the migrations of this checkout', () => {
  it('of the database of the network are those that earlier releases applied, apart from comments', () => {
    const applied = readMigrationFiles(ROOT, 'meta').filter(({ number }) => number <= 20);
    const text = applied.map(({ name, checksum }) => `${name} ${checksum}\n`).join('');
    expect(createHash('sha256').update(text).digest('hex')).toBe(APPLIED_META);
  });

  it.each(['meta', ...PROJECTIONS.map(({ name }) => name)])(
    '%s: numbered, create-only, with known macros only, portable to a cluster',
    (folder) => {
      const values = { database: 'd', meta: 'm', epochSize: 1, cluster: 'main' };
      for (const file of readMigrationFiles(ROOT, folder)) {
        const statements = splitStatements(file.text);
        expect(statements.length, file.name).toBeGreaterThan(0);
        for (const statement of statements) {
          const flat = expandMacros(statement, values).replaceAll(/\s+/g, ' ');
          const where = `${file.name}: ${flat.slice(0, 80)}`;
          expect(flat, where).toContain("ON CLUSTER 'main'");
          expect(flat, where).not.toMatch(/ENGINE = (?!Replicated)\w*MergeTree/);
        }
      }
    },
  );
});
