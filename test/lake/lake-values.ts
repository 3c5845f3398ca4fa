/** Forms in which values of the lake and of other readers are compared. */
import { Cell } from '@ton/core';
import type { Check } from './check.ts';
import type { Row } from './lake-server.ts';

/** A double with ten digits. */
export const toDigits = (value: unknown): string => Number(value).toExponential(9);

/** Hash of the root of a bag of cells, base64; null for none. */
export function toRootHash(bag: unknown, encoding: BufferEncoding = 'base64'): string | null {
  if (typeof bag !== 'string' || bag === '') return null;
  return Cell.fromBoc(Buffer.from(bag, encoding))[0]!.hash().toString('base64');
}

/** JSON text with sorted keys; null for none. Takes a value or its text. */
export function toSortedJson(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null;
  return JSON.stringify(sorted(typeof value === 'string' ? JSON.parse(value) : value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, one]) => [name, sorted(one)]));
}

/** SELECT of columns as `fromLake` reads them. */
export function selectColumns({ bags = [] }: Check, columns: readonly string[]): string {
  return columns.map((name) => (bags.includes(name) ? `hex(${name}) AS ${name}_hex` : name)).join(', ');
}

/** A row of the lake in the form of expected rows. */
export function fromLake({ bags = [], jsons = [], rounded = [] }: Check, row: Row): Row {
  return {
    ...row,
    ...Object.fromEntries(bags.map((name) => [name, toRootHash(row[`${name}_hex`], 'hex')])),
    ...Object.fromEntries(jsons.filter((name) => name in row).map((name) => [name, toSortedJson(row[name])])),
    ...Object.fromEntries(rounded.map((name) => [name, row[name] === null ? null : toDigits(row[name])])),
  };
}

/** An expected row with the columns that follow from its time. */
export function withTimes({ time }: Check, row: Row): Row {
  if (time === undefined) return row;
  const seconds = row[time];
  if (seconds === null || seconds === undefined) return { ...row, block_time: null, block_date: null };
  const [date, hour = ''] = new Date(Number(seconds) * 1_000).toISOString().split('T');
  return { ...row, block_time: `${date} ${hour.slice(0, 8)}`, block_date: date };
}

/** A time as the lake writes it; null for none. */
export function toTime(seconds: unknown): string | null {
  if (seconds === null || seconds === undefined) return null;
  return new Date(Number(seconds) * 1_000).toISOString().slice(0, 19).replace('T', ' ');
}
