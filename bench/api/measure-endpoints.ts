import type { BenchStore } from '../common/bench-store.ts';
import type { BenchOptions } from '../common/options.ts';
import { cpuPerUnit } from '../common/process-usage.ts';
import { note } from '../common/report.ts';
import { type ApiProcess, startApi } from './api-process.ts';
import type { Endpoint } from './endpoints.ts';
import { type Latency, measureLatency, measureThroughput, type Throughput } from './http-load.ts';
import { HttpSender, type Unit } from './http-sender.ts';
import { type LookUpChoice, untilIndexed } from './look-up-index.ts';
import { measureReading, type Reading, type RecordedStatements } from './record-statements.ts';

export interface EndpointFigures {
  readonly name: string;
  /** Each request for the first time: nothing of it is cached. */
  readonly first: Latency;
  readonly latency: Latency;
  /** The same answer again, from the response cache, as by default. */
  readonly again: Latency;
  /** CPU time of an answer at one connection, by process; the API's includes its background work. */
  readonly cpuMs: Readonly<Record<string, number | null>>;
  /** The same of the concurrent run, where answers share statements. */
  readonly sharedCpuMs: Readonly<Record<string, number | null>>;
  /** The statements of an answer, one after the other, without the API. */
  readonly bareLatency: Latency;
  readonly reading: Reading;
  readonly api: Throughput;
  /** Null if an answer needs no statement. */
  readonly bare: Throughput | null;
}

export interface ApiFigures {
  readonly figures: readonly EndpointFigures[];
  /** `SELECT 1` a second at the same number of connections, over all its runs: one next to each endpoint. */
  readonly select1PerSecond: number;
  /** CPU time of the store for one of them, ms; null if the system does not report it. */
  readonly select1CpuMs: number | null;
}

export interface EndpointRun {
  readonly data: string;
  readonly store: BenchStore;
  readonly endpoints: readonly Endpoint[];
  readonly statements: RecordedStatements;
  readonly options: Pick<BenchOptions, 'connections' | 'seconds' | 'requests'>;
  /** Of the API whose answers are cold. */
  readonly lookUpIndex: LookUpChoice;
}

/** Measuring latency may take this many times as long as a concurrent run. */
const SLOWEST = 6;
/** Number of answers that are requested again: they fit into the response cache of the default size. */
const AGAIN = 100;
/** Part of a concurrent run for which `SELECT 1` is sent before and after it: the machine may change between endpoints. */
const SELECT_1_SHARE = 0.25;

interface Servers {
  /** Every answer is cold. */
  readonly api: ApiProcess;
  /** With the response cache of the default size. */
  readonly caching: ApiProcess;
}

/** Measures one endpoint after the other over two APIs, cold and with the response cache. */
export async function measureEndpoints(run: EndpointRun): Promise<ApiFigures> {
  const servers = {
    api: await startApi(run.data, ['--response-cache-mb', '0', '--lookup-index', run.lookUpIndex]),
    caching: await startApi(run.data, []),
  };
  if (run.lookUpIndex === 'on') {
    note('waiting for the look-up index');
    note(`${await untilIndexed(servers.api.url)} bytes`);
  }
  const figures: EndpointFigures[] = [];
  const select1: Select1[] = [];
  const { connections, seconds } = run.options;
  const bareSelect = async () => {
    const { result, cpuMs } = await cpuPerUnit(
      { store: run.store.pid },
      () => measureThroughput(run.store.url, [run.statements.select1], connections, seconds * SELECT_1_SHARE),
      ({ calls }) => calls,
    );
    select1.push({ perSecond: result.perSecond, cpuMs: cpuMs.store ?? null });
  };
  try {
    for (const endpoint of run.endpoints) {
      note(endpoint.name);
      const concurrent = async () => {
        await bareSelect();
        const figures = await measureConcurrent(run, servers.api, endpoint);
        await bareSelect();
        return figures;
      };
      figures.push({ ...(await measureAlone(run, servers, endpoint)), ...(await concurrent()) });
    }
  } finally {
    await Promise.all([servers.api.stop(), servers.caching.stop()]);
  }
  // A run without an answer, on a busy machine, has no price of one.
  const cpu = select1.flatMap(({ cpuMs }) => (cpuMs !== null && Number.isFinite(cpuMs) ? [cpuMs] : []));
  return {
    figures,
    select1PerSecond: average(select1.map(({ perSecond }) => perSecond)),
    select1CpuMs: cpu.length === 0 ? null : average(cpu),
  };
}

interface Select1 {
  readonly perSecond: number;
  readonly cpuMs: number | null;
}

const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

type Concurrent = Pick<EndpointFigures, 'api' | 'sharedCpuMs'>;

/** At several connections. */
async function measureConcurrent(
  { store, options }: EndpointRun,
  api: ApiProcess,
  { requests }: Endpoint,
): Promise<Concurrent> {
  const units = requests.map((request) => [request]);
  const { result, cpuMs } = await cpuPerUnit(
    { api: api.pid, store: store.pid },
    () => measureThroughput(api.url, units, options.connections, options.seconds),
    ({ calls }) => calls,
  );
  return { api: result, sharedCpuMs: cpuMs };
}

/** At one connection; and the bare statements. */
async function measureAlone(
  { store, statements, options }: EndpointRun,
  { api, caching }: Servers,
  { name, requests }: Endpoint,
): Promise<Omit<EndpointFigures, keyof Concurrent>> {
  const units: Unit[] = requests.map((request) => [request]);
  const recorded = statements.ofEndpoints.get(name) ?? [];
  // With a look-up index, some answers need no statement.
  const bare = recorded.filter(({ length }) => length > 0);
  const limitSeconds = options.seconds * SLOWEST;
  const plan = { requests: options.requests, limitSeconds };
  const first = await measureLatency(api.url, units, { requests: units.length, limitSeconds, warmUp: 0 });
  const timed = await cpuPerUnit(
    { api: api.pid, store: store.pid },
    () => measureLatency(api.url, units, plan),
    ({ sent }) => sent,
  );
  const sender = new HttpSender(store.url, 1);
  try {
    return {
      name,
      first,
      latency: timed.result,
      cpuMs: timed.cpuMs,
      again: await measureLatency(caching.url, units.slice(0, AGAIN), { ...plan, warmUp: AGAIN }),
      bareLatency: await measureLatency(store.url, bare, plan),
      reading: await measureReading(sender, recorded),
      bare: bare.length
        ? await measureThroughput(store.url, bare, options.connections, options.seconds)
        : null,
    };
  } finally {
    sender.close();
  }
}
