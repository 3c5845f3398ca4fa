/**
 * `npm run test:judges [-- --json] [--only TEXT]`: lets official and independent clients and servers judge the lite server
 * and the lite client. Their packages are installed into a cache, at pinned versions. Exits with 1 if a judge refuses an
 * honest answer or accepts a lie, and in CI if a judge cannot be installed.
 */
import { parseArgs } from 'node:util';
import { sharedData } from '../helpers/shared-data-folder.ts';
import { judgeGoServer } from './go-server/follow-go-server.ts';
import { judgePytoniq } from './pytoniq/judge-pytoniq.ts';
import { judgeLiteClient } from './ton-lite-client/judge-lite-client.ts';
import { judgeGenesis, judgeLocalChain, TONLIB_VERSION } from './tonlib/judge-tonlib.ts';
import { NotInstalledError, type Skipped, type Verdict } from './verdict.ts';

interface Judge {
  readonly name: string;
  readonly version: string;
  readonly judge: () => Promise<Verdict>;
}

/** @throws NotInstalledError without the real chain data */
function needData(): string {
  if (!sharedData) throw new NotInstalledError('the real chain data (../shared/data) is not here');
  return sharedData;
}

const JUDGES: readonly Judge[] = [
  {
    name: 'tonlibjson, ordinary signatures',
    version: TONLIB_VERSION,
    judge: () => judgeLocalChain('ordinary'),
  },
  {
    name: 'tonlibjson, simplex signatures',
    version: TONLIB_VERSION,
    judge: () => judgeLocalChain('simplex'),
  },
  { name: 'tonlibjson, mainnet', version: TONLIB_VERSION, judge: async () => judgeGenesis(needData()) },
  { name: 'server of tonutils-go', version: '1.12.0', judge: async () => judgeGoServer(needData()) },
  { name: 'pytoniq', version: '0.1.43', judge: judgePytoniq },
  { name: 'ton-lite-client', version: '3.1.1', judge: judgeLiteClient },
];

async function run({ name, version, judge }: Judge): Promise<Verdict | Skipped> {
  try {
    return await judge();
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    if (isNotInstalled(error)) return { judge: name, version, skipped: reason! };
    return { judge: name, version, requests: 0, accepted: 0, refused_lies: 0, failures: [reason!] };
  }
}

/** True if the judge's program or packages are missing. */
function isNotInstalled(error: unknown): boolean {
  if (error instanceof NotInstalledError) return true;
  const { code, cmd } = error as { readonly code?: unknown; readonly cmd?: string };
  return code === 'ENOENT' || cmd?.startsWith('go build') === true;
}

function isPassed(result: Verdict | Skipped): boolean {
  if ('skipped' in result) return !process.env.CI;
  return (result.failures?.length ?? 0) === 0 && (result.differences ?? 0) === 0;
}

function toLine(result: Verdict | Skipped): string {
  if ('skipped' in result) return `${result.judge} ${result.version}: skipped, ${result.skipped}`;
  const { judge, version, requests, accepted, refused_lies, failures = [] } = result;
  const counts = `${requests} requests, ${accepted} accepted, ${refused_lies} lies refused`;
  return [`${judge} (${version}): ${counts}`, ...failures.map((one) => `  ${one}`)].join('\n');
}

const USAGE = `usage: npm run test:judges -- [--json] [--only TEXT] [--help]

Other people's clients and servers of the lite server protocol judge ours. They are installed into a cache.
  --json        print the list as JSON: {judge, version, requests, accepted, refused_lies}
  --only TEXT   run the judges whose name contains this text

A judge that cannot be installed is skipped; with CI set, that is a failure. The exit code is 0 only if none failed.
`;

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const results: (Verdict | Skipped)[] = [];
for (const judge of JUDGES.filter(({ name }) => name.includes(values.only))) {
  const result = await run(judge);
  results.push(result);
  if (!values.json) console.log(toLine(result));
}
if (values.json) console.log(JSON.stringify(results, null, 2));
process.exitCode = results.every(isPassed) ? 0 : 1;
