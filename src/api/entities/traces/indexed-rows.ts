import { parseColumnType } from '../../../tables/column-type.ts';
import { valueColumns } from '../../../tables/look-ups/look-ups.ts';
import { TRACE_TABLES } from '../../../tables/traces.ts';
import { detailsReader } from '../../compat/details-reader.ts';
import { toBuffer } from '../../query/look-ups.ts';
import type { Page } from '../../query/page.ts';
import type { ReadScope } from '../../query/scope.ts';
import { byTables } from '../../served-tables.ts';
import { isOrderedByTime, type TraceFilter } from './filter.ts';
import { BY_PLACE } from './indexed-ids.ts';
import { TRACE_COLUMNS, type TraceRow, traceRow } from './model.ts';

/** A trace of the look-up index: by what lists order and filter it. */
export interface IndexedTrace {
  readonly endLt: bigint;
  /** Unix seconds. */
  readonly endUtime: number;
  /** Its 32 bytes. */
  readonly id: Buffer;
  /** The whole row: most candidates of a list need only their end. */
  read(): TraceRow;
}

const ID_BYTES = 32;

/** How a version's rows are read: its columns, in the order of the value, and where some of them are. */
const getLayout = byTables((tables) => {
  const types: Readonly<Record<string, string>> = tables?.traces ?? TRACE_TABLES.traces;
  const columns = valueColumns(BY_PLACE.lookUp, tables?.traces);
  const findPlace = (name: string) =>
    columns.slice(0, columns.indexOf(name)).reduce((place, one) => place + getWidth(types[one]!), 0);
  return {
    columns,
    read: detailsReader(columns.map((name) => types[name]!)),
    places: { id: findPlace('trace_id'), endLt: findPlace('end_lt'), endUtime: findPlace('end_utime') },
  };
});

/** Bytes of a column. All columns of the value have a fixed width. */
function getWidth(type: string): number {
  const parsed = parseColumnType(type);
  if ('width' in parsed) return parsed.width;
  throw new RangeError(`a column of fixed width expected, not ${type}`);
}

/** Reads rows of a version. */
export function openTraces({
  context,
  databases,
}: ReadScope<'base' | 'traces'>): (value: Uint8Array) => IndexedTrace {
  const { columns, read, places } = getLayout(context.getTables?.(databases.traces) ?? null);
  return (value) => {
    const bytes = toBuffer(value);
    return {
      endLt: bytes.readBigUInt64LE(places.endLt),
      endUtime: bytes.readUInt32LE(places.endUtime),
      id: bytes.subarray(places.id, places.id + ID_BYTES),
      read: () => {
        const values = read(bytes);
        const byName = new Map(columns.map((name, i) => [name, values[i]]));
        return traceRow(TRACE_COLUMNS.map((name) => byName.get(name) ?? null));
      },
    };
  };
}

/** A page of some traces, in the order of a list. */
export function toPage(
  traces: readonly IndexedTrace[],
  filter: TraceFilter,
  { descending, offset, limit }: Page,
): readonly IndexedTrace[] {
  const byTime = isOrderedByTime(filter);
  const sorted = traces.toSorted((a, b) => {
    if (byTime && a.endUtime !== b.endUtime) return a.endUtime - b.endUtime;
    if (!byTime && a.endLt !== b.endLt) return a.endLt < b.endLt ? -1 : 1;
    return Buffer.compare(a.id, b.id);
  });
  return (descending ? sorted.toReversed() : sorted).slice(offset, offset + limit);
}
