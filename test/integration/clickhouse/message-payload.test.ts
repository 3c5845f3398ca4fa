import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MessageRow, messageRows } from '../../../src/api/entities/messages/payload.ts';
import { MIGRATIONS } from '../../../src/engine/project-files.ts';
import { migrate } from '../../../src/platform/clickhouse/migrations/migrate.ts';
import { BASE_TABLES } from '../../../src/tables/base-tables.ts';
import { MESSAGE_PAYLOAD } from '../../../src/tables/messages.ts';
import { packedSql } from '../../../src/tables/packed.ts';
import { startTestServer, type TestServer } from '../../helpers/clickhouse-server.ts';

const database = 'test_payload_base_v1';
const route = 'test/payload';
const COLUMNS = Object.entries<string>(BASE_TABLES.messages);
/** Rows of any values, in a table that keeps the columns as they land. */
const PLAIN = `${database}.plain`;
const ROWS = 400;

let store: TestServer;
beforeAll(async () => {
  store = await startTestServer();
  await migrate(store.client, {
    network: 'test_payload',
    projection: 'base',
    version: 1,
    epochSize: 100,
    directory: MIGRATIONS,
  });
  const columns = COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
  const structure = columns.replaceAll("'", "\\'");
  await store.client.command(`CREATE TABLE ${PLAIN} (${columns}) ENGINE = Memory`, { route });
  // Some bodies are longer than a one-byte length.
  const body = `if(rand() % 3 = 0, repeat(body, 60), body) AS body`;
  const norm = `if(kind = 'ext_in', hash_norm, hash) AS hash_norm`;
  await store.client.command(
    `INSERT INTO ${PLAIN} SELECT * REPLACE (${body}, ${norm}) FROM generateRandom('${structure}', 5, 20, 3) LIMIT ${ROWS}`,
    { route },
  );
  await store.client.command(`INSERT INTO ${database}.land_messages SELECT * FROM ${PLAIN}`, { route });
});
afterAll(() => store?.stop());

async function rowsOf(list: string, table: string): Promise<readonly MessageRow[]> {
  const sql = `SELECT ${list} FROM ${table} ORDER BY hash FORMAT RowBinary`;
  return messageRows(await store.client.queryBytes(sql, { route, settings: { enable_analyzer: 0 } }));
}

describe('the packed column of messages', () => {
  it('has as columns of the table what landed', async () => {
    const names = COLUMNS.map(([name]) => name).join(', ');
    const of = async (table: string) =>
      (await store.client.queryRows(`SELECT ${names} FROM ${table} ORDER BY hash`, { route })).rows;
    const found = await of(`${database}.messages`);
    expect(found).toHaveLength(ROWS);
    expect(found).toEqual(await of(PLAIN));
  });

  it('is read as what landed, from columns too', async () => {
    const packed = await rowsOf('payload', `${database}.messages`);
    expect(packed).toHaveLength(ROWS);
    expect(await rowsOf(packedSql(MESSAGE_PAYLOAD, BASE_TABLES.messages), PLAIN)).toEqual(packed);
    const { rows } = await store.client.queryRows<readonly (string | number | boolean | null)[]>(
      `SELECT mc_seqno, base64Encode(tx_hash), side, kind, base64Encode(hash), base64Encode(hash_norm), toString(created_lt),
         created_at, source_kind, if(source_kind IN ('std', 'var'), source_workchain, 0), toString(value), toString(fwd_fee),
         toString(ihr_fee), toString(import_fee), toString(extra_flags), ihr_disabled, bounce, bounced, opcode,
         base64Encode(body_hash), base64Encode(body), base64Encode(init), toString(mapKeys(value_extra)[1])
       FROM ${PLAIN} ORDER BY hash`,
      { route },
    );
    expect(packed.map(shown)).toEqual(rows);
    for (const { message } of packed)
      if (message.destination.kind === 'std') expect(message.destination.hash).toHaveLength(32);
  });
});

function shown({ mc_seqno, tx_hash, message }: MessageRow): unknown[] {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const { source, extraFlags } = message;
  return [
    mc_seqno,
    tx_hash,
    message.direction,
    message.kind,
    base64(message.hash),
    base64(message.hashNorm),
    `${message.createdLt}`,
    message.createdAt,
    source.kind,
    'workchain' in source ? source.workchain : 0,
    `${message.value}`,
    `${message.fwdFee}`,
    `${message.ihrFee}`,
    `${message.importFee}`,
    extraFlags === null ? null : `${extraFlags}`,
    message.ihrDisabled,
    message.bounce,
    message.bounced,
    message.opcode,
    base64(message.bodyHash),
    base64(message.body),
    base64(message.init ?? new Uint8Array()),
    `${message.valueExtra[0]?.[0] ?? 0}`,
  ];
}
