import type { ChainCheckOptions } from '../../engine/projection/projection.ts';
import type { CheckResult } from '../../engine/projection/table-audit.ts';
import type { PositionRange } from '../../engine/ranges/position-ranges.ts';
import { TABLE_QUERY } from '../../platform/clickhouse/query-profile.ts';
import { tableExists } from '../../platform/clickhouse/table-exists.ts';
import { CONTRACT_SUMS } from '../../tables/sums/token-sums.ts';
import { checkSums, toSlices } from '../sums/check-sums.ts';

const QUERY = { route: 'verify/contracts', ...TABLE_QUERY } as const;
const SHOWN = 5;
/** Cells whose places are held in memory at a time. */
const CELLS_A_SLICE = 20_000_000;
const HASH8_VALUES = 2n ** 64n;

/** Checks contracts against the account states that `base` has of the same steps. */
export async function contractsChecks(options: ChainCheckOptions): Promise<readonly CheckResult[]> {
  const [range] = options.ranges;
  const skipped = range && (await isOfEarlierCode(options)) ? EARLIER : null;
  const checked = skipped === null ? range : undefined;
  const result = (name: string, law: string, samples: readonly string[]): CheckResult => ({
    name,
    law,
    problems: samples.length,
    samples: samples.slice(0, SHOWN),
    ...(skipped !== null && { skipped }),
  });
  return [
    result(
      'contracts-cells',
      'code and data of every account state are in the index or in its list of missing cells',
      checked ? await cellsWithoutPlace(options, checked) : [],
    ),
    result(
      'contracts-states',
      'each state of a token contract is a state of its account, with that code and data',
      checked ? await strayTokens(options, checked) : [],
    ),
    result(
      'contracts-latest',
      'the newest state of each token contract of the range is its row of tokens_latest',
      checked && (await hasTable(options, 'tokens_latest')) ? await otherLatest(options, checked) : [],
    ),
    result(
      'contracts-ranked',
      'each wallet of a master and each item of a collection is in tokens_ranked once, at its newest state',
      checked && (await hasTable(options, 'tokens_ranked')) ? await otherRanked(options, checked) : [],
    ),
    result(
      'contracts-days',
      'the last balance of each jetton wallet on each day of the range is its row of wallet_days',
      checked && (await hasTable(options, 'wallet_days')) ? await otherDays(options, checked) : [],
    ),
    ...(await checkSums(options, CONTRACT_SUMS)),
  ];
}

const EARLIER = 'made by an earlier release, without places of cells: `tonhouse replay contracts`';

/** Whether the version was made before cells had places. */
async function isOfEarlierCode(options: ChainCheckOptions): Promise<boolean> {
  return !(await hasTable(options, 'cell_places'));
}

function hasTable({ client, database }: ChainCheckOptions, name: string): Promise<boolean> {
  return tableExists(client, database, name, QUERY);
}

/** The merged table may be ahead of the range: then an account's row is newer than the newest state of the range. */
async function otherLatest(
  { client, database }: ChainCheckOptions,
  { first, last }: PositionRange,
): Promise<string[]> {
  const { rows } = await client.queryRows<[string]>(
    `SELECT concat(toString(workchain), ':', hex(account), ' lt ', toString(lt), ': ', toString(kind), ' is not in tokens_latest')
     FROM (
       SELECT workchain, account, kind, max(lt) AS lt FROM ${database}.token_states
       WHERE mc_seqno BETWEEN ${first} AND ${last} GROUP BY workchain, account, kind
     ) AS states LEFT JOIN (
       SELECT workchain, account, kind, max(lt) AS latest FROM ${database}.tokens_latest GROUP BY workchain, account, kind
     ) AS merged USING (workchain, account, kind)
     WHERE latest < lt LIMIT ${SHOWN}`,
    QUERY,
  );
  return rows.map(([text]) => text);
}

/** In slices of steps. A day that changed above a slice has a newer row. */
async function otherDays({ client, database }: ChainCheckOptions, range: PositionRange): Promise<string[]> {
  const day = "toDate(toDateTime(now, 'UTC'))";
  const held = 'argMax((owner, owner_workchain, parent, parent_workchain, child_code, amount), lt) AS held';
  const found: string[] = [];
  for (const { first, last } of toSlices(range)) {
    const changed = `FROM ${database}.wallet_balances WHERE mc_seqno BETWEEN ${first} AND ${last}`;
    const { rows } = await client.queryRows<[string]>(
      `SELECT concat(toString(workchain), ':', hex(account), ' on ', toString(day), ': lt ', toString(w.newest), ' is not in wallet_days')
       FROM (SELECT account, workchain, ${day} AS day, max(lt) AS newest, ${held} ${changed} GROUP BY account, workchain, day) AS w
       LEFT JOIN (
         SELECT account, workchain, day, max(lt) AS newest, ${held} FROM ${database}.wallet_days
         WHERE (account, workchain, day) IN (SELECT account, workchain, ${day} ${changed}) GROUP BY account, workchain, day
       ) AS d USING (account, workchain, day)
       WHERE d.newest < w.newest OR (d.newest = w.newest AND d.held != w.held) LIMIT ${SHOWN}`,
      QUERY,
    );
    found.push(...rows.map(([text]) => text));
    if (found.length >= SHOWN) break;
  }
  return found;
}

/** Checks tokens that did not change above the range; the rows of one token are of one shard. */
async function otherRanked(
  { client, database }: ChainCheckOptions,
  { first, last }: PositionRange,
): Promise<string[]> {
  const key = 'parent, parent_workchain, kind, child_code, amount, account, workchain';
  const { rows } = await client.queryRows<[string]>(
    `SELECT concat(toString(workchain), ':', hex(account), ': ', toString(kind), ' with ', toString(amount), ' stands ',
       toString(sum(net)), ' times in tokens_ranked, wanted ', toString(sum(wanted)))
     FROM (
       SELECT ${key}, toInt64(0) AS net, toInt64(NOT is_gone) AS wanted FROM (
         SELECT ${key}, is_gone, mc_seqno FROM ${database}.token_states
         WHERE kind IN ('jetton_wallet', 'nft_item') ORDER BY lt DESC LIMIT 1 BY account, workchain, kind
       ) WHERE mc_seqno BETWEEN ${first} AND ${last}
       UNION ALL
       SELECT ${key}, net, toInt64(0) FROM ${database}.tokens_ranked WHERE (account, workchain, kind) IN (
         SELECT account, workchain, kind FROM ${database}.token_states WHERE kind IN ('jetton_wallet', 'nft_item')
         GROUP BY account, workchain, kind HAVING argMax(mc_seqno, lt) BETWEEN ${first} AND ${last})
     )
     GROUP BY ${key} HAVING sum(net) != sum(wanted) LIMIT ${SHOWN}`,
    QUERY,
  );
  return rows.map(([text]) => text);
}

/** In slices of hashes, so that the places of one slice fit in memory. */
async function cellsWithoutPlace(options: ChainCheckOptions, range: PositionRange): Promise<string[]> {
  const { client, database } = options;
  const { rows } = await client.queryRows<[string]>(
    `SELECT toString(count()) FROM ${database}.cell_places`,
    QUERY,
  );
  const slices = BigInt(Math.max(1, Math.ceil(Number(rows[0]?.[0] ?? 0) / CELLS_A_SLICE)));
  const found: string[] = [];
  for (let slice = 0n; slice < slices; slice++) {
    const [from, to] = [(HASH8_VALUES * slice) / slices, (HASH8_VALUES * (slice + 1n)) / slices - 1n];
    found.push(...(await cellsOfSlice(options, range, `BETWEEN ${from} AND ${to}`)));
  }
  return found;
}

async function cellsOfSlice(
  { client, database, input }: ChainCheckOptions,
  { first, last }: PositionRange,
  isInSlice: string,
): Promise<string[]> {
  const hash8 = (hash: string) => `reinterpretAsUInt64(reverse(substring(${hash}, 1, 8)))`;
  const { rows } = await client.queryRows<[string]>(
    `SELECT concat(toString(workchain), ':', hex(account), ' lt ', toString(lt), ': cell ', hex(cell), ' stands nowhere')
     FROM (
       SELECT workchain, account, lt, arrayJoin([code_hash, data_hash]) AS cell FROM ${input}.account_states
       WHERE mc_seqno BETWEEN ${first} AND ${last} AND status = 'active'
     )
     WHERE cell != toFixedString('', 32) AND ${hash8('cell')} ${isInSlice}
       AND ${hash8('cell')} NOT IN (SELECT hash8 FROM ${database}.cell_places WHERE hash8 ${isInSlice} AND mc_seqno <= ${last})
       AND (account, cell) NOT IN (SELECT account, hash FROM ${database}.absent_cells WHERE ${hash8('hash')} ${isInSlice})
     LIMIT ${SHOWN}`,
    QUERY,
  );
  return rows.map(([text]) => text);
}

async function strayTokens(
  { client, database, input }: ChainCheckOptions,
  { first, last }: PositionRange,
): Promise<string[]> {
  const within = `mc_seqno BETWEEN ${first} AND ${last}`;
  const { rows } = await client.queryRows<[string]>(
    `SELECT concat(toString(workchain), ':', hex(account), ' lt ', toString(lt), ': ', toString(kind), ' of another state')
     FROM ${database}.token_states
     WHERE ${within} AND NOT is_gone AND (account, workchain, lt, code_hash, data_hash) NOT IN (
       SELECT account, workchain, lt, code_hash, data_hash FROM ${input}.account_states
       WHERE ${within} AND (account, workchain) IN (SELECT account, workchain FROM ${database}.token_states WHERE ${within}))
     LIMIT ${SHOWN}`,
    QUERY,
  );
  return rows.map(([text]) => text);
}
