import { createHistogram } from 'node:perf_hooks';
import { BenchError } from '../common/bench-error.ts';
import { round } from '../common/report.ts';
import { readDiskBytes } from './disk-bytes.ts';
import type { KeyStore } from './key-store.ts';
import { makeAbsentKey, makeKey, readNumber } from './made-rows.ts';
import { readProcessorWait } from './processor-wait.ts';

const NS_PER_MS = 1e6;

/** How keys were read, one after the other. Times are without waits for a processor. */
export interface Reads {
  readonly perSecond: number;
  /** With waits for a processor, which other work on the machine causes. */
  readonly perSecondWithWaits: number;
  /** µs. */
  readonly p50: number;
  /** µs. */
  readonly p99: number;
  /** CPU of the process with its threads and what the bench does for a read, µs per read. */
  readonly cpu: number;
  /** Bytes from the disk for each read; null if the system does not report them (not Linux). */
  readonly fromDisk: number | null;
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
  const bytesBefore = readDiskBytes();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  let [read, elapsed, net] = [0, 0, 0];
  while (performance.now() - began < seconds * 1_000) {
    const ask = prepare();
    const waitBefore = readProcessorWait();
    const before = performance.now();
    ask();
    const took = performance.now() - before;
    // The thread may also have waited right before or after the read.
    const worked = Math.max(0, took - (readProcessorWait() - waitBefore));
    histogram.record(Math.max(1, Math.round(worked * NS_PER_MS)));
    elapsed += took;
    net += worked;
    read++;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const perSecond = (ms: number) => Math.round((read * 1_000) / ms);
  const micros = (percent: number) => round(histogram.percentile(percent) / 1_000, 1);
  return {
    perSecond: perSecond(net),
    perSecondWithWaits: perSecond(elapsed),
    p50: micros(50),
    p99: micros(99),
    cpu: round((user + system) / read, 1),
    fromDisk: bytesBefore && Math.round(((readDiskBytes()?.read ?? 0) - bytesBefore.read) / read),
  };
}
