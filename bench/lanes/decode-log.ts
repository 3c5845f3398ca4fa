import { setTimeout as sleep } from 'node:timers/promises';
import { BASE } from '../../pipelines/base.ts';
import type { Bus } from '../../src/log/port.ts';
import type { BenchStore } from '../common/bench-store.ts';
import { UsageSampler, type UsageSummary } from '../common/process-usage.ts';
import { DecodeProcesses } from './decode-processes.ts';

/** A log that is decoded by processes of `base`. */
export interface LogDecoding {
  readonly bus: Bus;
  readonly processes: number;
  readonly store: BenchStore;
  /** Other processes whose CPU and memory are measured, by name. */
  readonly others?: Readonly<Record<string, number>>;
}

/** From the moment when every process has a lane to the last confirmed batch. */
export interface DecodedLog {
  readonly seconds: number;
  /** Part of the log that was decoded in this time. */
  readonly share: number;
  /** Of each process: `decode 1` …, `clickhouse`, and the others. */
  readonly usage: Readonly<Record<string, UsageSummary | null>>;
}

const POLL_INTERVAL_MS = 50;
const JOIN_MS = 120_000;

interface Progress {
  readonly owners: number;
  readonly done: number;
  readonly all: number;
}

/** Starts the processes and stops them when all of the log is confirmed. `environment`: their settings. */
export async function decodeLog(
  { bus, processes: count, store, others = {} }: LogDecoding,
  environment: Readonly<Record<string, string>>,
): Promise<DecodedLog> {
  const processes = new DecodeProcesses(count, {
    TONHOUSE_CLICKHOUSE_URL: store.url,
    TONHOUSE_CLICKHOUSE_USER: store.user,
    TONHOUSE_CLICKHOUSE_PASSWORD: store.password,
    ...environment,
  });
  try {
    let from = await readProgress(bus);
    for (const deadline = Date.now() + JOIN_MS; from.owners < count; from = await readProgress(bus)) {
      processes.check();
      if (Date.now() > deadline) throw new RangeError(`${from.owners} of ${count} processes have a lane`);
      await sleep(POLL_INTERVAL_MS);
    }
    const sampler = new UsageSampler({
      ...Object.fromEntries(processes.pids.map((pid, i) => [`decode ${i + 1}`, pid])),
      clickhouse: store.pid,
      ...others,
    });
    const start = performance.now();
    let now = from;
    for (; now.done < now.all || now.all === 0; now = await readProgress(bus)) {
      processes.check();
      await sleep(POLL_INTERVAL_MS);
    }
    const seconds = (performance.now() - start) / 1000;
    return { seconds, share: (now.all - from.done) / now.all, usage: sampler.stop() };
  } finally {
    await processes.stop();
  }
}

async function readProgress(bus: Bus): Promise<Progress> {
  const lag = (await bus.lag()).filter(({ topic, group }) => topic === BASE.reads && group === BASE.group);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    owners: new Set(lag.flatMap(({ owner }) => owner ?? [])).size,
    done: sum(lag.map(({ committed }) => committed)),
    all: sum(lag.map(({ end }) => end)),
  };
}
