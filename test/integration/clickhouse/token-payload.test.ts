import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONTRACTS } from '../../../pipelines/contracts.ts';
import { type ListedToken, tokenStates } from '../../../src/api/entities/tokens/model.ts';
import { type TransferRow, transferRows } from '../../../src/api/entities/transfers/model.ts';
import { unreadableVersion } from '../../../src/api/entities/unreadable-version.ts';
import { MIGRATIONS, PROJECT } from '../../../src/engine/project-files.ts';
import { type RerunnableRepair, readRepairs } from '../../../src/engine/sink/repairs.ts';
import { readTables } from '../../../src/engine/versions/version-schema.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { packedSql } from '../../../src/tables/packed.ts';
import { TOKEN_PAYLOAD, TOKEN_TYPES } from '../../../src/tables/token-states.ts';
import { TRANSFER_PAYLOAD, TRANSFER_TYPES } from '../../../src/tables/transfers/token-transfers.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const database = 'test_payload_contracts_v1';
const route = 'test/payload';
const ROWS = 400;
/** Rows of any values, in tables that keep the columns as they land. */
const PLAIN = { token_states: `${database}.plain_states`, token_transfers: `${database}.plain_transfers` };
const LANDED = { token_states: TOKEN_TYPES, token_transfers: TRANSFER_TYPES };
/** Texts as in blocks, some longer than a one-byte length. */
const TEXTS = {
  token_states: [
    `if(rand(1) % 3 = 0, '', concat('{"name":"Ünïcode ', toString(rand(2)), '"}')) AS content`,
    `if(rand(3) % 2 = 0, '', repeat('/item.json', 30)) AS link`,
  ],
  token_transfers: [
    `if(rand(1) % 3 = 0, '', repeat(custom_payload, 60)) AS custom_payload`,
    'has_destination OR rand(2) % 2 = 0 AS has_destination',
    'if(has_destination, destination_workchain, toInt32(rand(3) % 3)) AS destination_workchain',
    'if(has_response, response_workchain, toInt32(rand(4) % 3)) AS response_workchain',
  ],
};

let store: TestServer;
beforeAll(async () => {
  store = await startTestServer();
  await migrate(store.client, {
    network: 'test_payload',
    projection: 'contracts',
    version: 1,
    epochSize: 100,
    directory: MIGRATIONS,
  });
  for (const name of ['token_states', 'token_transfers'] as const) {
    const columns = Object.entries<string>(LANDED[name])
      .map(([column, type]) => `${column} ${type}`)
      .join(', ');
    const structure = columns.replaceAll("'", "\\'");
    const sql = [
      `CREATE TABLE ${PLAIN[name]} (${columns}) ENGINE = Memory`,
      `INSERT INTO ${PLAIN[name]} SELECT * REPLACE (${TEXTS[name].join(', ')}) FROM generateRandom('${structure}', 5, 20, 3) LIMIT ${ROWS}`,
      `INSERT INTO ${database}.land_${name} SELECT * FROM ${PLAIN[name]}`,
    ];
    for (const statement of sql) await store.client.command(statement, { route });
  }
});
afterAll(() => store?.stop());

const bytesOf = (list: string, table: string) =>
  store.client.queryBytes(`SELECT account, ${list} FROM ${table} ORDER BY account FORMAT RowBinary`, {
    route,
    settings: { enable_analyzer: 0 },
  });
const rowsOf = async (columns: readonly string[], table: string) =>
  (
    await store.client.queryRows(`SELECT ${columns.join(', ')} FROM ${table} ORDER BY account`, {
      route,
      settings: { output_format_json_quote_64bit_integers: 1 },
    })
  ).rows;
const raw = (name: string) => `if(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), NULL)`;

describe('the packed column of tokens', () => {
  it('has as columns of the table what landed', async () => {
    const columns = [...TOKEN_PAYLOAD.sized, 'account', ...TOKEN_PAYLOAD.strings].map(
      (name) => `hex(toString(${name}))`,
    );
    const found = await rowsOf(columns, `${database}.tokens_latest`);
    expect(found).toHaveLength(ROWS);
    expect(found).toEqual(await rowsOf(columns, PLAIN.token_states));
  });

  it('is read as what landed, from columns too', async () => {
    const packed = tokenStates(await bytesOf('0, payload', `${database}.tokens_latest`));
    expect(packed).toHaveLength(ROWS);
    expect(tokenStates(await bytesOf(`0, ${packedSql(TOKEN_PAYLOAD)}`, PLAIN.token_states))).toEqual(packed);
    const shown = [
      "concat(toString(workchain), ':', hex(account))",
      'kind',
      'is_gone',
      'toString(lt)',
      'since',
      'base64Encode(code_hash)',
      'base64Encode(data_hash)',
      "if(kind = 'nft_collection', toString(reinterpretAsInt256(amount)), toString(amount))",
      'flag',
      raw('owner'),
      raw('parent'),
      'base64Encode(child_code)',
      'content',
      'link',
      'mc_seqno',
    ];
    expect(packed.map(shownToken)).toEqual(await rowsOf(shown, PLAIN.token_states));
  });

  it('names the replacement of a column', async () => {
    const list = packedSql(TOKEN_PAYLOAD, {}, { is_gone: 'NOT flag', link: "''", since: 'toUInt32(7)' });
    const states = tokenStates(await bytesOf(`0, ${list}`, PLAIN.token_states));
    const whole = tokenStates(await bytesOf(`0, ${packedSql(TOKEN_PAYLOAD)}`, PLAIN.token_states));
    expect(states).toEqual(
      whole.map(({ token }) => ({ token: { ...token, link: '', since: 7 }, isGone: !token.flag })),
    );
  });
});

it('the repair of tokens_latest gives the rows that its view gives', async () => {
  const repairs = readRepairs(CONTRACTS.sink, PROJECT);
  const repair = repairs.find(({ table }) => table === 'tokens_latest') as RerunnableRepair;
  const before = await bytesOf('0, payload', `${database}.tokens_latest`);
  expect(tokenStates(before)).toHaveLength(ROWS);
  await store.client.command(`TRUNCATE TABLE ${database}.tokens_latest`, { route });
  for (const statement of repair.statements)
    await store.client.command(statement, {
      route,
      params: { db: database, first: 0, last: 2 ** 32 - 1 },
    });
  expect((await bytesOf('0, payload', `${database}.tokens_latest`)).equals(before)).toBe(true);
});

describe('the packed column of transfers', () => {
  it('has as columns of the table what landed', async () => {
    const columns = Object.keys(TRANSFER_TYPES).map((name) => `hex(toString(${name}))`);
    const found = await rowsOf(columns, `${database}.token_transfers`);
    expect(found).toHaveLength(ROWS);
    expect(found).toEqual(await rowsOf(columns, PLAIN.token_transfers));
  });

  it('is read as what landed, from columns too', async () => {
    const packed = transferRows(await bytesOf('payload', `${database}.token_transfers`));
    expect(packed).toHaveLength(ROWS);
    expect(transferRows(await bytesOf(packedSql(TRANSFER_PAYLOAD), PLAIN.token_transfers))).toEqual(packed);
    const named = (name: string) =>
      `multiIf(has_${name}, concat(toString(${name}_workchain), ':', hex(${name})), ${name}_workchain = 1, 'addr_extern', ${name}_workchain = 2, 'addr_var', NULL)`;
    const bag = (name: string) => `if(${name} = '', NULL, base64Encode(${name}))`;
    const shown = [
      "concat(toString(workchain), ':', hex(account))",
      'toString(lt)',
      'mc_seqno',
      'base64Encode(hash)',
      'now',
      'aborted',
      raw('parent'),
      'base64Encode(child_code)',
      'toString(query_id)',
      'toString(amount)',
      raw('source'),
      named('destination'),
      named('response'),
      'toString(forward_amount)',
      bag('custom_payload'),
      bag('forward_payload'),
    ];
    expect(packed.map(shownTransfer)).toEqual(await rowsOf(shown, PLAIN.token_transfers));
  });
});

it('a version whose tokens or transfers have an unknown layout is not served', async () => {
  const tables = await readTables(store.client, database);
  expect(await unreadableVersion(store.client, 'contracts', database, tables)).toBeNull();
  for (const [table, what] of [
    ['token_transfers', 'transfers'],
    ['tokens_latest', 'tokens'],
  ] as const) {
    await store.client.command(`TRUNCATE TABLE ${database}.${table}`, { route });
    await store.client.command(`INSERT INTO ${database}.${table} (payload) VALUES ('\\t')`, { route });
    expect(await unreadableVersion(store.client, 'contracts', database, tables)).toContain(
      `payload of ${what} of layout 9`,
    );
  }
});

function shownToken({ token, isGone }: { token: ListedToken; isGone: boolean }): unknown[] {
  const { address, kind, lt, since, codeHash, dataHash, amount, flag, owner, parent } = token;
  const { childCode, content, link, mcSeqno } = token;
  const before = [address, kind, isGone, lt, since, codeHash, dataHash, amount, flag, owner, parent];
  return [...before, childCode, content, link, mcSeqno];
}

function shownTransfer(row: TransferRow): unknown[] {
  const { address, lt, mcSeqno, hash, now, aborted, parent, childCode, queryId, amount } = row;
  const { source, destination, response, forwardAmount, customPayload, forwardPayload } = row;
  const before = [address, lt, mcSeqno, hash, now, aborted, parent, childCode, queryId, amount];
  return [...before, source, destination, response, forwardAmount, customPayload, forwardPayload];
}
