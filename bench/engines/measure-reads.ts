import { createHistogram } from 'node:perf_hooks';
import { BenchError } from '../common/bench-error.ts';
import { round } from '../common/report.ts';
import type { KeyStore } from './key-store.ts';
import { makeAbsentKey, makeKey, readNumber } from './made-rows.ts';

/** How keys were read, one after the other. */
export interface Reads {
  readonly perSecond: number;
  /** µs. */
  readonly p50: number;
  /** µs. */
  readonly p99: number;
}

/** Reads random keys of rows below `keys` for some seconds. */
export function measurePresent(store: KeyStore, keys: number, seconds: number): Reads {
  return measure(seconds, () => {
    const number = Math.floor(Math.random() * keys);
    const key = makeKey(number);
    return () => {
      const value = store.get(key);
      if (!value || readNumber(value) !== number)
        throw new BenchError(`row ${number} expected, ${value ? `row ${readNumber(value)}` : 'none'} found`);
    };
  });
}

/** Reads random keys of no row for some seconds. */
export function measureAbsent(store: KeyStore, seconds: number): Reads {
  return measure(seconds, () => {
    const key = makeAbsentKey();
    return () => {
      if (store.get(key)) throw new BenchError(`no row expected, one with key ${key.join(' ')} found`);
    };
  });
}

function measure(seconds: number, prepare: () => () => void): Reads {
  const histogram = createHistogram();
  const began = performance.now();
  let read = 0;
  while (performance.now() - began < seconds * 1_000) {
    const ask = prepare();
    const before = process.hrtime.bigint();
    ask();
    histogram.record(process.hrtime.bigint() - before || 1n);
    read++;
  }
  const elapsed = (performance.now() - began) / 1_000;
  const micros = (percent: number) => round(histogram.percentile(percent) / 1_000, 1);
  return { perSecond: Math.round(read / elapsed), p50: micros(50), p99: micros(99) };
}
