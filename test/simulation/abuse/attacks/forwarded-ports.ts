import type { Attack, AttackContext } from '../attack.ts';
import { type Call, callHttp, type Route } from '../http-call.ts';
import { inParallel } from '../in-parallel.ts';

/** The address of the proxy that is trusted. */
const PROXY = '127.0.0.11';
const PATH = '/api/v3/masterchainInfo';
/** Calls of each client. */
const BURST = 200;
const AT_ONCE = 20;

/** Values of `X-Forwarded-For` that all mean one client each. */
const FORMS: readonly [name: string, headerOf: (at: number) => string][] = [
  ['ports', (at) => `198.51.100.1:${1_024 + at}`],
  ['ports of an IPv6 address', (at) => `[2001:db8:7::1]:${1_024 + at}`],
  ['zones of an IPv6 address', (at) => `fe80::1%eth${at}`],
  ['ports of an IPv4-mapped address', (at) => `[::ffff:198.51.100.2]:${1_024 + at}`],
  ['texts that are no address', (at) => `client-${at}`],
  ['addresses before a text', (at) => `198.51.101.${at}, unknown`],
  ['addresses before the client', (at) => `198.51.101.${at}, 198.51.100.3:${at}, `],
];

/** One client whose proxy names it with another port, zone or text in each call. */
export const forwardedPorts: Attack = {
  name: 'forwarded ports',
  holds: 'ports, zones and texts in X-Forwarded-For make no new client: each has its one call a second',
  async run(context) {
    const limited = await context.server.startServing(['--keyless-limit', '1', '--trusted-proxy', PROXY]);
    try {
      const route = { host: context.server.host, port: limited.port, from: PROXY };
      for (const [name, headerOf] of FORMS) await oneClient(context, route, name, headerOf);
    } finally {
      await limited.end();
    }
  },
};

async function oneClient(
  { must }: AttackContext,
  route: Route,
  name: string,
  headerOf: (at: number) => string,
): Promise<void> {
  const calls = Array.from({ length: BURST }, (_, at): Call => {
    return { path: PATH, headers: { 'x-forwarded-for': headerOf(at) } };
  });
  const begun = performance.now();
  const outcomes = await inParallel(calls, AT_ONCE, (call) => callHttp(route, call));
  const seconds = (performance.now() - begun) / 1_000;
  const served = outcomes.filter(({ status }) => status !== 429).length;
  must(served <= seconds + 2, `${name}: ${served} of ${BURST} were served in ${seconds.toFixed(1)} s`);
}
