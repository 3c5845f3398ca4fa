import type { ServedStore } from '../../engine/projection/projection.ts';
import { servedDatabase } from '../../engine/versions/prepare-store.ts';
import { tableExists } from '../../platform/clickhouse/table-exists.ts';
import {
  MULTISIG_METHODS,
  NAME_METHODS,
  SALE_METHODS,
  TOKEN_METHODS,
} from '../../ton/contracts/codes/kind-methods.ts';
import { unknownCodesSql } from './unknown-codes.ts';

/** Distinct reasons; all others are counted as one. */
const MAX_REASONS = 8;
const OUTCOMES = ['token_outcomes', 'contract_outcomes'] as const;
/** Methods by which codes are queued, and the table of their outcomes. */
const QUEUES = [
  { name: 'token', table: 'token_outcomes', methods: TOKEN_METHODS },
  { name: 'sale', table: 'contract_outcomes', methods: SALE_METHODS },
  { name: 'multisig', table: 'contract_outcomes', methods: MULTISIG_METHODS },
  { name: 'name', table: 'contract_outcomes', methods: NAME_METHODS },
] as const;
const KINDS = QUEUES.flatMap(({ methods }) => Object.keys(methods)).length;
const route = 'status/detections';

/**
 * Figures of a version for `status`: codes with a method of a token, sale, multisig or name that are not read from cells,
 * the ones among them without an outcome, detected contracts by kind, and reasons of refusals. `codes`: the projection
 * that has the codes.
 */
export async function detectionFigures(
  store: ServedStore,
  codes: string,
): Promise<Readonly<Record<string, number>>> {
  const contracts = await servedDatabase(store.client, store, { name: codes });
  const has = await tableExists(store.client, contracts, 'codes', { route });
  return { ...(has && (await codeFigures(store, contracts))), ...(await outcomeFigures(store)) };
}

async function codeFigures(
  { client, database, network }: ServedStore,
  codesDatabase: string,
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  const queued: string[] = [];
  for (const { name, table, methods } of QUEUES) {
    const codes = unknownCodesSql(methods, codesDatabase, network);
    figures[`unknown ${name} codes`] = await countCodes(client, codes);
    queued.push(
      `SELECT code_hash FROM (${codes}) WHERE code_hash NOT IN (SELECT code_hash FROM ${database}.${table})`,
    );
  }
  // A code may wait for the methods of several kinds.
  return { ...figures, 'queued codes': await countCodes(client, queued.join(' UNION ALL ')) };
}

async function countCodes(client: ServedStore['client'], codes: string): Promise<number> {
  const sql = `SELECT toString(uniqExact(code_hash)) FROM (${codes})`;
  const { rows } = await client.queryRows<[string]>(sql, { route, timeoutMs: 60_000 });
  return Number(rows[0]?.[0] ?? 0);
}

/** Newest outcomes of accounts by kind, and by the reasons of refusals. */
async function outcomeFigures({ client, database }: ServedStore): Promise<Record<string, number>> {
  const outcomes = OUTCOMES.map(
    (table) =>
      `SELECT toString(kind) AS kind, argMax(reason, (lt, mc_seqno)) AS reason FROM ${database}.${table} GROUP BY account, workchain, kind`,
  );
  // Contracts choose their exit codes and the addresses that reasons name: neither may hide the others.
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT if(reason = '', concat('detected ', kind),
         concat('no ', kind, ': ', replaceRegexpAll(reason, '[0-9a-f]{64}', '…'))) AS name,
       toString(count()), toString(sum(count()) OVER ())
     FROM (${outcomes.join(' UNION ALL ')})
     GROUP BY name ORDER BY startsWith(name, 'no '), count() DESC, name LIMIT ${MAX_REASONS + KINDS}`,
    { route, timeoutMs: 60_000 },
  );
  const detected = rows.reduce((sum, [, count]) => sum + Number(count), 0);
  const others = Number(rows[0]?.[2] ?? 0) - detected;
  return {
    ...Object.fromEntries(rows.map(([name, count]) => [name, Number(count)])),
    ...(others > 0 && { 'no kind: other reasons': others }),
  };
}
