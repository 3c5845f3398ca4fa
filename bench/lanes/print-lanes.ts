import { availableParallelism } from 'node:os';
import { mib, printTable, round } from '../common/report.ts';
import type { LanesRun } from './run-lanes.ts';

const NOTE =
  'REPEATED DATA: real blocks under new ids. Raw blocks on Kafka are as large as on a real chain, one by one; rows repeat, ' +
  'so the store compresses them better than those of a real chain.';

/** The bench's result, as JSON or as tables. */
export function printLanes(runs: readonly LanesRun[], json: boolean): void {
  const cores = availableParallelism();
  const summary = runs.map(summarise);
  if (json) {
    process.stdout.write(`${JSON.stringify({ note: NOTE, cores, runs: summary })}\n`);
    return;
  }
  process.stdout.write(`${NOTE}\n`);
  printTable(
    `decoding from Kafka into ClickHouse, everything on one machine of ${cores} cores`,
    [
      'lanes = processes',
      'blocks/s',
      'transactions/s',
      'MiB/s of blocks',
      'cores: decode',
      'clickhouse',
      'kafka',
    ],
    summary.map((run) => [
      run.lanes,
      run.blocks_per_second,
      run.transactions_per_second,
      run.mib_per_second,
      run.cores.decode ?? '–',
      run.cores.clickhouse ?? '–',
      run.cores.kafka ?? '–',
    ]),
  );
  printTable(
    'CPU time for a thousand transactions, ms: what other work on the machine changes least',
    ['lanes = processes', 'decode', 'clickhouse', 'kafka', 'sum'],
    summary.map(({ lanes, cpu_ms_per_1000_transactions: cpu }) => [
      lanes,
      cpu.decode ?? '–',
      cpu.clickhouse ?? '–',
      cpu.kafka ?? '–',
      (cpu.decode ?? 0) + (cpu.clickhouse ?? 0) + (cpu.kafka ?? 0),
    ]),
  );
  printTable(
    'memory, MiB (largest), and capture alone',
    ['lanes = processes', 'a decode process', 'clickhouse', 'kafka', 'capture: blocks/s', 'MiB/s'],
    summary.map((run) => [
      run.lanes,
      run.memory_mib.decode ?? '–',
      run.memory_mib.clickhouse ?? '–',
      run.memory_mib.kafka ?? '–',
      run.capture_blocks_per_second,
      run.capture_mib_per_second,
    ]),
  );
  printTable(
    'bytes a transaction',
    ['lanes = processes', 'raw blocks', 'log on Kafka', 'store (repeated rows)'],
    summary.map(({ lanes, bytes_per_transaction: bytes }) => [
      lanes,
      bytes.raw,
      bytes.log ?? '–',
      bytes.store,
    ]),
  );
}

function summarise(run: LanesRun) {
  const { lanes, blocks, transactions, rawBytes, logBytes, storeBytes, captureSeconds, decodeSeconds } = run;
  const rate = run.decodedBlocks / decodeSeconds;
  const decoders = Object.entries(run.usage).filter(([name]) => name.startsWith('decode'));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const cores = decoders.flatMap(([, usage]) => usage?.cores ?? []);
  const memory = decoders.flatMap(([, usage]) => usage?.memory.max ?? []);
  const getCores = (name: string) => (run.usage[name] ? round(run.usage[name].cores, 2) : null);
  const thousands = (run.decodedBlocks * transactions) / blocks / 1000;
  const sumCpu = (names: readonly string[]) => {
    const seconds = names.flatMap((name) => run.usage[name]?.cpuSeconds ?? []);
    return seconds.length === 0 ? null : Math.round((sum(seconds) * 1000) / thousands);
  };
  const getMemory = (name: string) => run.usage[name]?.memory.max ?? null;
  return {
    lanes,
    blocks,
    transactions,
    decode_seconds: round(decodeSeconds),
    blocks_per_second: Math.round(rate),
    transactions_per_second: Math.round((rate * transactions) / blocks),
    mib_per_second: round(mib((rate * rawBytes) / blocks), 1),
    cores: {
      decode: cores.length > 0 ? round(sum(cores), 2) : null,
      clickhouse: getCores('clickhouse'),
      kafka: getCores('kafka'),
    },
    cpu_ms_per_1000_transactions: {
      decode: sumCpu(decoders.map(([name]) => name)),
      clickhouse: sumCpu(['clickhouse']),
      kafka: sumCpu(['kafka']),
    },
    memory_mib: {
      decode: memory.length > 0 ? Math.max(...memory) : null,
      clickhouse: getMemory('clickhouse'),
      kafka: getMemory('kafka'),
    },
    capture_blocks_per_second: Math.round(blocks / captureSeconds),
    capture_mib_per_second: round(mib(rawBytes / captureSeconds), 1),
    bytes_per_transaction: {
      raw: Math.round(rawBytes / transactions),
      log: logBytes === null ? null : Math.round(logBytes / transactions),
      store: Math.round(storeBytes / transactions),
    },
  };
}
