import type { Attack, AttackContext } from '../attack.ts';
import { type Call, callHttp, jsonCall } from '../http-call.ts';

const REQUESTS = 500;

const VALUES: readonly string[] = [
  "' OR 1=1 --",
  "1'; DROP TABLE blocks; --",
  '1) UNION ALL SELECT password FROM system.users --',
  "file('/etc/passwd')",
  "url('http://127.0.0.1:1/', CSV, 'a String')",
  '{seqno:UInt32}',
  '%7Bx%3AString%7D',
  '#{7*7}',
  '\0',
  '\ud800',
  '\\x00\\',
  '\n\r\t',
  '`',
  '../../etc/passwd',
  '-1',
  '0',
  '-0',
  '1e309',
  'NaN',
  'Infinity',
  '0x10',
  '9'.repeat(400),
  '18446744073709551616',
  '-9223372036854775809',
  '1.5',
  'null',
  'undefined',
  '[]',
  '{}',
  'true',
  '0:',
  `0:${'f'.repeat(63)}`,
  `99999999999:${'0'.repeat(64)}`,
  `-1:${'f'.repeat(64)}`,
  'E'.repeat(48),
  'A'.repeat(43).concat('='),
  'ä'.repeat(2_000),
  'x'.repeat(40_000),
  `${' '.repeat(20_000)}x`,
  `${'0'.repeat(30_000)}x`,
  `${'-'.repeat(30_000)}=`,
  ','.repeat(20_000),
  '1,'.repeat(5_000),
];
const NAMES = [
  '__proto__',
  'constructor',
  'constructor.prototype',
  'hasOwnProperty',
  'limit[]',
  'x'.repeat(30_000),
  '',
  '\0',
];

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly parameters?: readonly Named[] }>>>
  >;
}
interface Named {
  readonly name: string;
  readonly in: string;
}

/** Every parameter of every path of the published descriptions with values that it was not made for. */
export const oddParameters: Attack = {
  name: 'odd parameters',
  holds: 'each is answered, none with the words of the store or an unexpected failure',
  async run(context) {
    const routes = [...(await describedRoutes(context, 'v3')), ...(await describedRoutes(context, 'v2'))];
    context.must(routes.length > 30, `only ${routes.length} routes are described`);
    const calls = Array.from({ length: REQUESTS }, () => oddCall(context, routes));
    await context.sendAll(calls, 6);
  },
};

interface DescribedRoute {
  readonly method: string;
  readonly path: string;
  readonly names: readonly string[];
}

async function describedRoutes({ route }: AttackContext, version: string): Promise<DescribedRoute[]> {
  const { text } = await callHttp(route, { path: `/api/${version}/openapi.json` });
  const { paths } = JSON.parse(text) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [] }]) => ({
      method: method.toUpperCase(),
      path,
      names: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
    })),
  );
}

/** One to four odd values; the same name may come twice. */
function oddCall({ random }: AttackContext, routes: readonly DescribedRoute[]): Call {
  const { method, path, names } = random.pick(routes);
  const pairs = Array.from({ length: 1 + random.below(4) }, () => {
    const name = names.length === 0 || random.oneIn(10) ? random.pick(NAMES) : random.pick(names);
    return [name, random.pick(VALUES)] as const;
  });
  if (method === 'POST') return jsonCall(path, Object.fromEntries(pairs));
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return { method, path: `${path}?${query.replaceAll(/[^\x21-\x7e]/g, (one) => encode(one))}` };
}

/** A lone surrogate has no form in an address: as bytes it is no UTF-8, which is the attack. */
function encode(text: string): string {
  return text === '\ud800' ? '%ed%a0%80' : encodeURIComponent(text);
}
