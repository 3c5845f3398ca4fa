import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { knownBodies } from '../../src/api/known-bodies.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { ENDPOINTS } from '../../src/api/v3/routes/endpoints.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { BodyDecoder } from '../../src/ton/bodies/body-decoder.ts';
import { headOf, type LocalApi, openLocalApi } from '../helpers/local-api.ts';

/* Field selection over a real store: rows keep what is named, and what only the others need is neither read nor decoded. */

const LIMIT_MS = 300_000;
/** The oldest rows do not change while the chain goes on. */
const PAGES: Record<string, string> = {
  '/blocks': 'sort=asc&limit=30',
  '/transactions': 'sort=asc&limit=30',
  // Messages from outside have no lt and come first: a new one may come before the oldest.
  '/messages': 'sort=asc&limit=30&exclude_externals=1',
  '/actions': 'sort=asc&limit=10&include_accounts=1&include_transactions=1',
};
/** The field that identifies rows. */
const ID: Readonly<Record<string, string>> = {
  '/blocks': 'root_hash',
  '/transactions': 'hash',
  '/messages': 'hash',
  '/actions': 'action_id',
};

type Row = Readonly<Record<string, unknown>>;

let api: LocalApi;
let app: FastifyInstance;
/** A server over the same index that has read nothing yet: nothing that an answer needs is in its memory. */
let newServer: () => Promise<FastifyInstance>;
const asked: string[] = [];
const counts = { decoded: 0, bytes: 0 };

beforeAll(async () => {
  api = await openLocalApi({ traffic: 3 });
  const { client } = api.context;
  const counted: StoreClient = {
    ...client,
    queryRows: async (sql, options) => {
      if (options.route.startsWith('v3/')) asked.push(sql);
      const answer = await client.queryRows<readonly unknown[]>(sql, options);
      counts.bytes += JSON.stringify(answer.rows).length;
      return answer as never;
    },
    queryBytes: async (sql, options) => {
      if (options.route.startsWith('v3/')) asked.push(sql);
      const bytes = await client.queryBytes(sql, options);
      counts.bytes += bytes.length;
      return bytes;
    },
  };
  const known = knownBodies();
  const bodies = {
    getName: (op: number) => known.getName(op),
    decode: (...of: Parameters<BodyDecoder['decode']>) => {
      counts.decoded++;
      return known.decode(...of);
    },
  } as BodyDecoder;
  const settings = { ...api.context.settings, responseCacheMb: 0 };
  newServer = () => buildServer({ ...api.context, client: counted, bodies, settings });
  app = await newServer();
  const filled = async () => {
    expect(headOf(api.context)).toBeGreaterThan(20);
    // Traffic may begin late, so the oldest transactions may have no message: the page begins where a body is decoded.
    const messages = rowsOf('/messages', (await get('/messages', `${PAGES['/messages']}`)).json) ?? [];
    const decoded = messages.find((one) => (one.message_content as Row | null)?.decoded);
    expect(decoded, 'a message with a decoded body').toBeDefined();
    PAGES['/transactions'] = `sort=asc&limit=30&start_lt=${decoded?.created_lt}`;
    // The rows of a page do not change after the next page exists.
    for (const [path, query] of Object.entries(PAGES)) {
      const { json } = await get(path, `${query}&offset=30`);
      expect(rowsOf(path, json)?.length, path).toBeGreaterThanOrEqual(10);
    }
  };
  await vi.waitFor(filled, { timeout: LIMIT_MS, interval: 200 });
  await api.control.setTraffic(0);
}, LIMIT_MS);
afterAll(async () => {
  await app?.close();
  await api?.close();
}, LIMIT_MS);

/** An answer, with the statements that it took. */
async function get(path: string, query: string, server = app) {
  asked.length = 0;
  Object.assign(counts, { decoded: 0, bytes: 0 });
  const reply = await server.inject(`/api/v3${path}?${query}`);
  const json = JSON.parse(reply.payload) as Record<string, unknown>;
  return { status: reply.statusCode, json, statements: [...asked], ...counts };
}

/** The same from a server that has read nothing before. */
async function getAnew(path: string, query: string) {
  const server = await newServer();
  try {
    return await get(path, query, server);
  } finally {
    await server.close();
  }
}

const rowsOf = (path: string, json: Record<string, unknown>) => json[path.slice(1)] as readonly Row[];

describe.each(Object.keys(PAGES))('fields of %s', (path) => {
  const pageQuery = () => PAGES[path] as string;

  it(
    'keep the values that complete rows have, each field by itself',
    async () => {
      const whole = rowsOf(path, (await get(path, pageQuery())).json);
      expect(whole.length).toBeGreaterThan(5);
      const id = ID[path] as string;
      for (const name of new Set(whole.flatMap((row) => Object.keys(row)))) {
        const { status, json } = await get(path, `${pageQuery()}&fields=${id},${name}`);
        expect(status, JSON.stringify(json).slice(0, 300)).toBe(200);
        const wanted = whole.map((row) => ({ [id]: row[id], ...(name in row && { [name]: row[name] }) }));
        expect(rowsOf(path, json), name).toEqual(wanted);
        if ('address_book' in json) expect(json.address_book).toEqual({});
      }
    },
    LIMIT_MS,
  );

  it(
    'take no more statements, bring less from the store, and decode no body that is not shown',
    async () => {
      const whole = await getAnew(path, pageQuery());
      const few = await getAnew(path, `${pageQuery()}&fields=${ID[path]}`);
      expect(few.decoded).toBe(0);
      expect(few.statements.length).toBeLessThanOrEqual(whole.statements.length);
      expect(few.bytes).toBeLessThan(whole.bytes);
      expect(few.statements.join()).not.toMatch(/\bbase64Encode\((body|init|rand_seed)\)/);
      if (path === '/transactions' || path === '/messages') expect(whole.decoded).toBeGreaterThan(0);
      if (path !== '/blocks') expect(few.statements.length).toBeLessThan(whole.statements.length);
    },
    LIMIT_MS,
  );

  it('that are unknown are refused, and the error names the known ones', async () => {
    const { status, json } = await get(path, `${pageQuery()}&fields=${ID[path]},nonsense`);
    expect(status).toBe(422);
    expect(json.error).toMatch(/^unknown field "nonsense", known: /);
    expect(json.error).toContain(ID[path]);
  });
});

it('reads only the head of packed transactions if it has all requested fields', async () => {
  const query = PAGES['/transactions'] as string;
  const whole = await get('/transactions', query);
  const head = await get('/transactions', `${query}&fields=hash,lt,account,now`);
  expect(head.statements).toHaveLength(1);
  expect(head.statements[0]).toContain('substring(payload, 1, 201)');
  expect(head.bytes).toBeLessThan(whole.bytes / 2);
});

it('reads the body or state of messages only if it is requested', async () => {
  const query = PAGES['/messages'] as string;
  const whole = await getAnew('/messages', query);
  const spared = [...Object.keys(rowsOf('/messages', whole.json)[0] as Row)].filter(
    (name) => name !== 'message_content' && name !== 'init_state',
  );
  const head = await get('/messages', `${query}&fields=${spared}`);
  expect(head.bytes).toBeLessThan(whole.bytes);
  expect(head.statements.join()).toContain('reinterpretAsUInt32(substring(payload, 311, 4))');
  const body = await getAnew('/messages', `${query}&fields=hash,message_content`);
  expect(body.decoded).toBeGreaterThan(0);
  expect(body.decoded).toBe(whole.decoded);
  // A message looked up by hash is shared with answers that show all of it.
  const hash = encodeURIComponent(String(rowsOf('/messages', whole.json)[0]?.hash));
  const [few, full] = await Promise.all([
    get('/messages', `msg_hash=${hash}&fields=hash`),
    get('/messages', `msg_hash=${hash}`),
  ]);
  expect(rowsOf('/messages', few.json)).toEqual([{ hash: rowsOf('/messages', whole.json)[0]?.hash }]);
  expect(rowsOf('/messages', full.json)[0]).toEqual(rowsOf('/messages', whole.json)[0]);
});

it('reads no lists, details and columns of actions that are not asked for', async () => {
  const query = 'sort=asc&limit=10';
  const whole = await get('/actions', query);
  const list = (of: typeof whole) => of.statements.join();
  for (const text of ['h -> base64Encode(h)', ', details, raw_action, ', 'base64Encode(external_hash)'])
    expect(list(whole)).toContain(text);
  const few = await get('/actions', `${query}&fields=action_id,type,start_lt,success`);
  for (const text of [
    'h -> base64Encode(h)',
    'a -> concat',
    ', details, raw_action, ',
    'base64Encode(external_hash)',
  ])
    expect(list(few)).not.toContain(text);
  const described = await get('/actions', `${query}&fields=action_id,address_book,metadata`);
  expect(described.json.address_book).toEqual(whole.json.address_book);
  expect(described.json.metadata).toEqual(whole.json.metadata);
});

it('is described: a row is whole, or has no field but some of these', async () => {
  const { paths } = (await app.inject('/api/v3/openapi.json')).json();
  for (const path of Object.keys(PAGES)) {
    const { schema } = paths[`/api/v3${path}`].get.responses['200'].content['application/json'];
    const [whole, some] = schema.properties[path.slice(1)].items.anyOf;
    expect(whole.required).toContain(ID[path]);
    expect(some.required).toBeUndefined();
    expect(some.additionalProperties).toBe(false);
    expect(Object.keys(some.properties)).toEqual(Object.keys(whole.properties));
  }
});

it('returns the address book if it is requested', async () => {
  const query = PAGES['/transactions'] as string;
  const whole = await get('/transactions', query);
  const named = await get('/transactions', `${query}&fields=hash,in_msg,out_msgs,account,address_book`);
  expect(named.json.address_book).toEqual(whole.json.address_book);
  expect(Object.keys(whole.json.address_book as object).length).toBeGreaterThan(0);
});

it('may change from page to page of a scan, the order may not', async () => {
  const first = await get('/transactions', 'sort=asc&limit=3&cursor=&fields=hash');
  const cursor = encodeURIComponent(String(first.json.next_cursor));
  const next = await get('/transactions', `sort=asc&limit=3&cursor=${cursor}&fields=hash,lt`);
  expect(next.status).toBe(200);
  expect(Object.keys(rowsOf('/transactions', next.json)[0] as Row).sort()).toEqual(['hash', 'lt']);
  const turned = await get('/transactions', `sort=desc&limit=3&cursor=${cursor}`);
  expect(turned.status).toBe(422);
  expect(turned.json.error).toMatch(/cursor was given for other parameters/);
});

it('is accepted only by these lists', () => {
  const taken = ENDPOINTS.filter(({ selects }) => selects !== undefined).map(({ path }) => path);
  expect(taken.sort()).toEqual(Object.keys(PAGES).sort());
  for (const { selects, parameters } of ENDPOINTS) expect('fields' in parameters).toBe(selects !== undefined);
});
