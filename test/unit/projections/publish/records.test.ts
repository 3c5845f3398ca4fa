import type { Schema, Type } from 'avsc';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChunkRecord } from '../../../../src/engine/decoding/chunk.ts';
import { LocalDecoder } from '../../../../src/engine/decoding/local-decoder.ts';
import type { LogRecord, OutputRecord } from '../../../../src/log/port.ts';
import { compileSchema } from '../../../../src/platform/avro/avro-types.ts';
import { loadSchemas } from '../../../../src/platform/avro/schema-files.ts';
import { AvroOutput } from '../../../../src/projections/publish/avro-output.ts';
import { FieldMismatchError, fieldWriter } from '../../../../src/projections/publish/field-writers.ts';
import { PUBLISHED, type PublishedKind } from '../../../../src/projections/publish/published.ts';
import { RecordEncoder } from '../../../../src/projections/publish/record-encoder.ts';
import { createDecoder } from '../../../../src/projections/records/kernel-decoder.ts';
import { BASE_TABLES } from '../../../../src/tables/base-tables.ts';
import { BaseColumns } from '../../../../src/ton/columns/base-columns.ts';
import { readTable } from '../../../../src/ton/columns/column-reader.ts';
import { readBlockHeader } from '../../../../src/ton/decode/block-header.ts';
import { partsOfColumns } from '../../../../src/ton/kernel/native-parts.ts';
import { TableView } from '../../../../src/ton/kernel/table-view.ts';
import { ownMeta, readBytes, sharedBlocks } from '../../../e2e/facts-blocks.ts';
import { columnsOf, DECODER_OPTIONS, rawBlockRecord } from '../../../helpers/raw-block-records.ts';
import { describeWithData } from '../../../helpers/shared-data.ts';

const PARTITIONS = 8;
const schemas = loadSchemas(DECODER_OPTIONS.schemas);
const encoder = new RecordEncoder(schemas, PARTITIONS);
const types = new Map<string, Type>(
  [...schemas.newest].map(([kind, { source }]) => [kind, compileSchema(source)]),
);

type Value = null | boolean | number | bigint | string | Uint8Array | readonly (readonly [number, bigint])[];

/** Value that a consumer is to read, from the column's own value. */
function expected(column: string, avro: unknown, value: Value): unknown {
  if (value === null || typeof value === 'boolean') return value;
  if (Array.isArray(avro)) {
    if (value instanceof Uint8Array && value.every((byte) => byte === 0)) return null;
    return expected(column, avro[1], value);
  }
  if (typeof value === 'number') return avro === 'long' ? BigInt(value) : value;
  if (typeof value === 'bigint' && avro === 'long') return BigInt.asIntN(64, value);
  if (column === 'UInt64') return (value as bigint).toString(16).padStart(16, '0');
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (typeof value === 'string') return value;
  return value.map(([id, amount]) => ({ id: BigInt(id), amount: String(amount) }));
}

const plain = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value);

function decoded(kind: string, { value }: OutputRecord): Record<string, unknown> {
  const datum = Buffer.from(value);
  expect([datum[0], datum.readUInt32BE(1)]).toEqual([0, schemas.newest.get(kind)?.id]);
  const { value: record, offset } = types.get(kind)!.decode(datum, 5);
  expect(offset).toBe(datum.length);
  return Object.fromEntries(Object.entries(record).map(([name, field]) => [name, plain(field)]));
}

/** The same rows, by the column reader of the tests of decoding. */
function expectedRecords(kind: PublishedKind, columns: BaseColumns): Record<string, unknown>[] {
  const { table } = PUBLISHED.find((output) => output.kind === kind)!;
  const { fields } = schemas.newest.get(kind)!.source as unknown as {
    fields: { name: string; type: unknown }[];
  };
  const columnTypes: Record<string, string> = BASE_TABLES[table];
  return readTable(columns.tables[table]).map((row) =>
    Object.fromEntries(
      fields.map(({ name, type }) => [
        name,
        expected(columnTypes[name]!, type, row[name] as unknown as Value),
      ]),
    ),
  );
}

const logRecord = (record: ChunkRecord, offset: number): LogRecord => ({
  ...record,
  lane: 3,
  offset,
  epoch: 0,
  headers: {},
  endsStep: true,
  appendedAt: 0,
});

describeWithData('records of the typed topics', (data) => {
  let decoder: LocalDecoder;
  beforeAll(async () => {
    decoder = new LocalDecoder(await createDecoder(DECODER_OPTIONS));
  });

  it.each(['mainnet-genesis-0001', 'mainnet-single', 'private-b', 'testnet'])(
    'say what the columns say, for every block of %s',
    async (set) => {
      const keys = new Map<string, Set<string>>();
      const totals: Record<string, number> = {};
      // One for all, so that its memory ends in the middle of records.
      const out = new AvroOutput();
      for (const [offset, { path }] of sharedBlocks(data, set).entries()) {
        const bytes = readBytes(path);
        const record = rawBlockRecord(bytes, ownMeta(readBlockHeader(bytes)));
        const chunk = await decoder.decode([record]);
        const records = chunk.parts.flatMap((parts) => encoder.encode(parts, logRecord(record, offset), out));
        const columns = columnsOf([chunk]);
        for (const { kind, topic } of PUBLISHED) {
          const mine = records.filter((made) => made.topic === topic);
          const wanted = expectedRecords(kind, columns);
          expect(mine.map((made) => decoded(kind, made))).toEqual(wanted);
          const known = keys.get(kind) ?? new Set();
          keys.set(kind, known);
          for (const [row, { key, headers, partition }] of mine.entries()) {
            expect(headers).toEqual({ 'tonhouse.id': key, 'tonhouse.source': `3/${offset}/${row}` });
            expect(partition).toBe(partitionOf(kind, wanted[row]!));
            known.add(key);
          }
          totals[kind] = (totals[kind] ?? 0) + mine.length;
        }
      }
      // No two facts share a key.
      expect(Object.fromEntries([...keys].map(([kind, { size }]) => [kind, size]))).toEqual(totals);
      expect(totals.block).toBe(sharedBlocks(data, set).length);
      if (set === 'mainnet-genesis-0001') expect(totals.transaction).toBe(1_087);
    },
  );

  /** As docs/topics.md describes it. */
  function partitionOf(kind: PublishedKind, record: Record<string, unknown>): number {
    if (kind === 'block') return 3;
    const account = String(kind === 'message' ? record.tx_account : record.account);
    return Number.parseInt(account.slice(-8), 16) % PARTITIONS;
  }
});

describe('fields', () => {
  /** Rows with what real blocks hardly have. */
  function datums(table: 'account_states', rows: readonly Record<string, unknown>[]) {
    const columns = new BaseColumns();
    for (const row of rows) {
      for (const column of columns.tables[table].columns) {
        const fallback = column.type.startsWith('FixedString')
          ? new Uint8Array(32).fill(7)
          : zeroOf(column.type);
        column.push((column.name in row ? row[column.name] : fallback) as never);
      }
      columns.tables[table].endRow();
    }
    const record = logRecord({ key: 'k', position: 0, value: new Uint8Array() }, 0);
    return encoder.encode(partsOfColumns(columns, null), record, new AvroOutput());
  }
  const zeroOf = (type: string) =>
    type.startsWith('Map') ? [] : type.startsWith('Nullable') ? null : /^UInt(64|128)$/.test(type) ? 0n : 0;

  it('keep amounts of 120 bits, times of 64 bits and extra currencies whole', () => {
    const most = (1n << 120n) - 1n;
    const rows = [
      { balance: most, lt: (1n << 63n) - 1n, extra: [[7, (1n << 248n) - 1n]], due_payment: 5n },
      { balance: 0n, lt: 1n << 53n, extra: [], due_payment: null },
      {
        balance: 1n,
        lt: (1n << 64n) - 1n,
        extra: [
          [1, 1n],
          [4_294_967_295, 2n],
        ],
        due_payment: 0n,
        code_hash: new Uint8Array(32),
      },
    ];
    const found = datums('account_states', rows).map((record) => decoded('account-state', record));
    expect(
      found.map(({ balance, lt, extra, due_payment, code_hash }) => ({
        balance,
        lt,
        extra,
        due_payment,
        code: code_hash !== null,
      })),
    ).toEqual([
      {
        balance: String(most),
        lt: (1n << 63n) - 1n,
        extra: [{ id: 7n, amount: String((1n << 248n) - 1n) }],
        due_payment: '5',
        code: true,
      },
      { balance: '0', lt: 1n << 53n, extra: [], due_payment: null, code: true },
      {
        balance: '1',
        lt: -1n,
        extra: [
          { id: 1n, amount: '1' },
          { id: 4_294_967_295n, amount: '2' },
        ],
        due_payment: '0',
        code: false,
      },
    ]);
  });

  it('that columns cannot give are refused when the encoder is made', () => {
    expect(() => fieldWriter('f', 'UInt64', 'int')).toThrow(FieldMismatchError);
    expect(() => fieldWriter('f', 'UInt128', 'long')).toThrow(FieldMismatchError);
    expect(() => fieldWriter('f', 'FixedString(32)', { type: 'fixed', name: 'Half', size: 16 })).toThrow(
      FieldMismatchError,
    );
    expect(() =>
      fieldWriter('f', "Enum8('a' = 0, 'b' = 1)", { type: 'enum', name: 'E', symbols: ['a'] }),
    ).toThrow(FieldMismatchError);
    expect(() => fieldWriter('f', 'Nullable(Int32)', 'int')).toThrow(FieldMismatchError);
  });

  it('come from columns that exist', () => {
    expect(TableView.all(partsOfColumns(new BaseColumns(), null)).size).toBe(0);
    const { source } = schemas.newest.get('block')!;
    const fields = [...(source as unknown as { fields: object[] }).fields, { name: 'weight', type: 'long' }];
    const block = {
      ...schemas.newest.get('block')!,
      source: { ...(source as object), fields } as unknown as Schema,
    };
    const newest = new Map(schemas.newest).set('block', block);
    expect(() => new RecordEncoder({ ...schemas, newest }, PARTITIONS)).toThrow('block.weight');
  });

  it('outgrow the first buffer and leave what was written where it is', () => {
    const out = new AvroOutput();
    const large = new Uint8Array(200_000).fill(1);
    const made = [1, 2, 3].map((id) => {
      out.begin(id);
      out.bytes(large, 0, large.length);
      return out.finish();
    });
    for (const [index, datum] of made.entries()) {
      expect(Buffer.from(datum).readUInt32BE(1)).toBe(index + 1);
      expect(Buffer.compare(datum.subarray(8), large)).toBe(0);
    }
  });
});
