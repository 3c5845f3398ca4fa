import type { ServedStore } from '../../engine/projection/projection.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { TOKEN_KINDS } from '../../ton/contracts/token-state.ts';
import { countMissing, knowsCells } from './cells/missing-cells.ts';
import { unknownCodesSql } from './detect/detection-queue.ts';
import { keepsFoundCodes } from './detect/found-codes.ts';

/** Reasons that are told apart; the others are one. */
const MOST_REASONS = 8;
const route = 'status/contracts';

/**
 * Figures of a version for `status`: states that are not held whole, cells and libraries that are missing; codes that are not
 * read from cells and have the method of a token, those of them whose accounts nobody has looked at, what the get
 * methods of the accounts said, and why others are no tokens.
 */
export async function contractFigures(store: ServedStore): Promise<Readonly<Record<string, number>>> {
  if (!(await knowsCells(store))) return {};
  const { cells, accounts, libraries } = await countMissing(store);
  return {
    'partial states': accounts,
    'missing cells': cells,
    'missing libraries': libraries,
    ...(await codeFigures(store)),
    ...(await detectionFigures(store)),
  };
}

async function codeFigures({ client, database, network }: ServedStore): Promise<Record<string, number>> {
  const found = (await keepsFoundCodes(client, network)) ? metaDatabase(network) : null;
  const looked = `SELECT code_hash FROM ${metaDatabase(network)}.detections`;
  const { rows } = await client.queryRows<[string, string]>(
    `SELECT toString(count()), toString(countIf(code_hash NOT IN (${looked}))) FROM (${unknownCodesSql(database, found)})`,
    { route, timeoutMs: 60_000 },
  );
  const [unknown = 0, queued = 0] = (rows[0] ?? []).map(Number);
  return { 'unknown token codes': unknown, 'queued codes': queued };
}

async function detectionFigures({ client, network }: ServedStore): Promise<Record<string, number>> {
  // Contracts choose their exit codes and the addresses that reasons name: neither may hide the others.
  const { rows } = await client.queryRows<[string, string, string]>(
    `SELECT if(reason = '', concat('detected ', toString(kind)),
         concat('no ', toString(kind), ': ', replaceRegexpAll(reason, '[0-9a-f]{64}', '…'))) AS name,
       toString(count()), toString(sum(count()) OVER ())
     FROM ${metaDatabase(network)}.detections FINAL
     GROUP BY name ORDER BY startsWith(name, 'no '), count() DESC, name LIMIT ${MOST_REASONS + TOKEN_KINDS.length}`,
    { route, timeoutMs: 60_000 },
  );
  const told = rows.reduce((sum, [, count]) => sum + Number(count), 0);
  const others = Number(rows[0]?.[2] ?? 0) - told;
  return {
    ...Object.fromEntries(rows.map(([name, count]) => [name, Number(count)])),
    ...(others > 0 && { 'no token: other reasons': others }),
  };
}
