import { residentMegabytes } from '../../common/resident-memory.ts';
import { wrongAnswer } from '../answer-rules.ts';
import type { Attack, AttackContext } from '../attack.ts';
import { type Call, callHttp, type Outcome, type Route } from '../http-call.ts';
import { inParallel } from '../in-parallel.ts';

const CALLS = 10_000;
const AT_ONCE = 100;
/** Calls of one client in a row. */
const BURST = 300;
const GROWTH_MB = 300;
/** The address of the proxy that is trusted, and of a client that comes without one. */
const PROXY = '127.0.0.9';
const PATHS = ['/api/v3/masterchainInfo', '/api/v2/getMasterchainInfo', '/api/v3/blocks?limit=1'];
/** Outside the limit. */
const FREE = ['/healthz', '/readyz', '/metrics'];

/** Thousands of clients without a key, each at its own address, and one that only claims this. */
export const keylessCalls: Attack = {
  name: 'keyless calls from many addresses',
  holds:
    'each address has its one call a second, forged addresses and those of one network have no more, memory is flat',
  async run(context) {
    const { server, must } = context;
    const limited = await server.startServing(['--keyless-limit', '1', '--trusted-proxy', PROXY]);
    try {
      const route = { host: server.host, port: limited.port };
      // Everything that is made only once is made before the memory is measured.
      for (const path of PATHS)
        await callHttp({ ...route, from: PROXY }, { path, headers: addressed('192.0.2.1') });
      const before = residentMegabytes(limited.pid) ?? 0;
      await manyAddresses(context, { ...route, from: PROXY });
      await oneClient(
        context,
        { ...route, from: PROXY },
        'addresses of one IPv6 network',
        (at) => `2001:db8::${at.toString(16)}`,
      );
      // Only the proxy's word counts.
      await oneClient(
        context,
        { ...route, from: '127.0.0.10' },
        'forged addresses',
        (at) => `198.51.100.${at % 250}`,
      );
      for (const path of FREE.flatMap((one) => Array.from({ length: 20 }, () => one))) {
        const { status, failure } = await callHttp({ ...route, from: '127.0.0.10' }, { path });
        must(failure === null && status === 200, `${path} is outside the limit: ${failure ?? status}`);
      }
      const growth = (residentMegabytes(limited.pid) ?? 0) - before;
      must(growth <= GROWTH_MB, `memory of the limited server grew by ${growth} MB`);
    } finally {
      await limited.end();
    }
  },
};

const addressed = (address: string) => ({ 'x-forwarded-for': address });

async function manyAddresses({ must }: AttackContext, route: Route): Promise<void> {
  const calls = Array.from({ length: CALLS }, (_, at): Call => {
    const address = at % 4 === 0 ? `2001:db8:${at.toString(16)}::1` : `198.18.${at >> 8}.${at & 255}`;
    return { path: PATHS[at % PATHS.length]!, headers: addressed(address) };
  });
  const outcomes = await inParallel(calls, AT_ONCE, (call) => callHttp(route, call));
  const of = (status: number) => outcomes.filter((one) => one.status === status).length;
  must(of(429) === 0, `${of(429)} of ${CALLS} addresses were refused their first call`);
  // A busy machine answers 503 to some of them.
  must(of(200) >= CALLS / 2, `${of(200)} of ${CALLS} addresses were answered`);
  const wrong = outcomes.flatMap((one) => wrongAnswer(one) ?? []);
  must(wrong.length === 0, `${wrong.length} calls: ${wrong[0]}`);
}

/** Calls of one client by its counts: one a second is answered, the others get Retry-After. */
async function oneClient(
  { must }: AttackContext,
  route: Route,
  name: string,
  addressOf: (at: number) => string,
): Promise<void> {
  const calls = Array.from({ length: BURST }, (_, at): Call => {
    return { path: PATHS[at % PATHS.length]!, headers: addressed(addressOf(at)) };
  });
  const begun = performance.now();
  const outcomes = await inParallel(calls, 20, (call) => callHttp(route, call));
  const seconds = (performance.now() - begun) / 1_000;
  const served = outcomes.filter(({ status }) => status !== 429).length;
  must(served <= seconds + 2, `${name}: ${served} of ${BURST} were served in ${seconds.toFixed(1)} s`);
  const odd = outcomes.filter((one, at) => one.status === 429 && !isRefusal(one, calls[at]!.path));
  must(odd.length === 0, `${name}: ${odd.length} refusals in another form, ${odd[0]?.text.slice(0, 200)}`);
}

function isRefusal({ headers, text }: Outcome, path: string): boolean {
  const body = JSON.parse(text) as { ok?: boolean; code?: number; error?: string; result?: unknown };
  const isOf2 = path.startsWith('/api/v2');
  return (
    Number(headers['retry-after']) >= 1 &&
    body.code === 429 &&
    body.error === 'Ratelimit exceeded' &&
    body.ok === (isOf2 ? false : undefined) &&
    body.result === undefined
  );
}
