/**
 * `npm run bench:contracts`: token contracts read from cells compared with their get methods, which must give the same
 * values, and the speed of the projection `contracts` for jetton, NFT and wallet traffic, compared with `base` of the
 * same blocks.
 */
import { join } from 'node:path';
import { BASE } from '../pipelines/base.ts';
import { CONTRACTS } from '../pipelines/contracts.ts';
import { openLog } from '../src/cli/compose/data-directory.ts';
import { runSession, type Session } from '../src/cli/session.ts';
import { prepareStore } from '../src/engine/versions/prepare-store.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { type BenchOptions, benchDirectory, readOptions } from './common/options.ts';
import { note, round } from './common/report.ts';
import { Stopwatch } from './common/stopwatch.ts';
import { type BenchIndex, runProjection } from './contracts/run-projection.ts';
import { stateRates } from './contracts/states-rate.ts';
import { trafficBlocks } from './contracts/traffic-blocks.ts';
import { NETWORK } from './ingest/child-options.ts';
import { planChain } from './synthetic/chain-plan.ts';
import { feedLog } from './synthetic/feed-log.ts';

const TITLE = 'bench:contracts: states from cells and by get methods; the projection contracts beside base';
const EPOCHS = 8;
/** Transactions that the TVM executes; the chain is made of copies of their blocks, with accounts of their own. */
const EXECUTED = 10_000;

async function run(options: BenchOptions): Promise<Record<string, number | null>> {
  const executed = Math.min(EXECUTED, options.transactions);
  note(`${executed} transactions in the TVM`);
  const traffic = await trafficBlocks(executed);
  const rates = await stateRates(join(options.blocks, '../accounts'), traffic.zerostates);
  note(
    `${rates.states} states: ${Math.round(rates.direct)} a second from cells, ${Math.round(rates.tvm)} by get methods`,
  );
  const directory = benchDirectory(options);
  try {
    const real = { shard: [...traffic.shard], masterchain: [...traffic.masterchain] };
    const planned = { real, transactions: options.transactions, epochs: options.epochs, network: NETWORK };
    const runs = await runSession({ logLevel: 'warn' }, (session) =>
      ingest(directory.path, planned, session),
    );
    return {
      direct_states_per_s: Math.round(rates.direct),
      tvm_states_per_s: Math.round(rates.tvm),
      direct_times_tvm: round(rates.direct / rates.tvm, 1),
      states: rates.states,
      ...runs,
    };
  } finally {
    directory.leave();
  }
}

async function ingest(data: string, planned: BenchIndex['planned'], session: Session) {
  const plan = planChain(planned.real, planned.transactions, planned.epochs, planned.network);
  const log = await openLog(data, session);
  if (await log.bus.identity())
    throw new BenchError(`${data} holds a log already: a new directory is needed`);
  const store = await openBenchStore(data);
  session.shutdown.add('store', () => store.close());
  await log.bus.establish(plan.identity);
  await prepareStore(store.client, plan.identity, [BASE, CONTRACTS]);
  note(`${plan.transactions} transactions in ${plan.blocks} blocks: into the log`);
  const writer = await log.bus.writer(BASE.reads, session.owner, 600_000);
  await feedLog(plan, writer, log.codec, new Stopwatch());
  await writer.release();
  const index = { log, store, plan, planned };
  note('base');
  const base = await runProjection(
    BASE,
    new URL('./ingest/moving-decoder.ts', import.meta.url),
    index,
    session,
  );
  await settle(store.client);
  note(`${round(base.seconds, 1)} s; contracts`);
  const module = new URL('./contracts/moving-facts.ts', import.meta.url);
  const contracts = await runProjection(CONTRACTS, module, index, session);
  note(`${round(contracts.seconds, 1)} s`);
  const memory = contracts.usage?.memory;
  return {
    contracts_tx_per_s: Math.round(plan.transactions / contracts.seconds),
    base_tx_per_s: Math.round(plan.transactions / base.seconds),
    contracts_share_of_base: round(base.seconds / contracts.seconds, 2),
    rss_mb: memory?.max ?? null,
    rss_mb_median: memory?.median ?? null,
    rss_mb_per_minute_last_half: memory?.slopeLastHalfPerMinute ?? null,
    transactions: plan.transactions,
  };
}

try {
  const options = readOptions(TITLE, { epochs: EPOCHS });
  if (options) {
    const answer = await run(options);
    if (options.json) process.stdout.write(`${JSON.stringify(answer)}\n`);
    else for (const [name, value] of Object.entries(answer)) console.log(`${name.padEnd(30)}${value}`);
  }
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
