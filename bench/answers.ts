/**
 * `npm run bench:answers`: records the answers to more than 1,000 requests over a fixed index, or compares them with
 * recorded ones. A change of the readers keeps every byte.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PROJECTIONS } from '../pipelines/projections.ts';
import { runSession } from '../src/cli/session.ts';
import { generatePacks } from '../src/localnet/generate/generate-packs.ts';
import { answerRequests } from './api/answer-requests.ts';
import { type Answer, compareAnswers, recordAnswers } from './api/answers.ts';
import { startApi } from './api/api-process.ts';
import { routeKeys } from './api/route-endpoints.ts';
import { BenchError } from './common/bench-error.ts';
import { openBenchStore, settle } from './common/bench-store.ts';
import { measureProjections, openLocalIndex } from './common/local-index.ts';
import { count } from './common/options.ts';
import { note } from './common/report.ts';

const HELP = `bench:answers: records answers of the API over a fixed index, or compares them

  --directory DIR    of the index, which is made if it is missing
  --transactions N   of the local chain (default 10000)
  --record FILE      writes the answers
  --compare FILE     asks the requests of a recording again; exits with 1 if an answer differs
  --help             this text
`;

try {
  const { values } = parseArgs({
    options: {
      directory: { type: 'string', default: '' },
      transactions: { type: 'string', default: '10000' },
      record: { type: 'string', default: '' },
      compare: { type: 'string', default: '' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) process.stdout.write(HELP);
  else await run(values.directory, count('transactions', values.transactions), values);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function run(
  directory: string,
  transactions: number,
  { record, compare }: { readonly record: string; readonly compare: string },
): Promise<void> {
  if (directory === '') throw new BenchError('--directory is required');
  const data = join(directory, 'data');
  if (!existsSync(data)) await buildIndex(directory, data, transactions);
  const store = await openBenchStore(data);
  try {
    await settle(store.client);
    const api = await startApi(data, []);
    try {
      if (record !== '') {
        const answers = await recordAnswers(api.url, answerRequests(await routeKeys(api.url)));
        writeFileSync(record, JSON.stringify(answers));
        note(`${answers.length} answers recorded`);
      }
      if (compare === '') return;
      const recorded = JSON.parse(readFileSync(compare, 'utf8')) as Answer[];
      const answers = await recordAnswers(
        api.url,
        recorded.map(({ path }) => path),
      );
      const different = compareAnswers(recorded, answers);
      for (const text of different.slice(0, 20)) process.stdout.write(`${text}\n`);
      process.stdout.write(`${recorded.length} answers compared, ${different.length} differ\n`);
      if (different.length > 0) process.exitCode = 1;
    } finally {
      await api.stop();
    }
  } finally {
    await store.close();
  }
}

async function buildIndex(directory: string, data: string, transactions: number): Promise<void> {
  mkdirSync(directory, { recursive: true });
  const packs = join(directory, 'packs');
  note(`${transactions} transactions of a local chain in the TVM`);
  await generatePacks({ directory: packs, transactions, seed: 'routes', shards: 1, perStep: 200 });
  await runSession({ logLevel: 'warn' }, async (session) => {
    await measureProjections(await openLocalIndex(data, packs, session), PROJECTIONS, session);
  });
}
