import { createHash } from 'node:crypto';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { openLog, requireIdentity } from '../../src/cli/compose/data-directory.ts';
import { runSession } from '../../src/cli/session.ts';
import { getPartitions } from '../../src/engine/projection/projection.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { readPointer } from '../../src/engine/versions/projection-pointer.ts';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { BenchError } from '../common/bench-error.ts';
import { note } from '../common/report.ts';
import { NETWORK } from '../ingest/child-options.ts';

/** Tokens of an index: made of numbers, in the landing tables of `contracts`, since synthetic blocks repeat few contracts. */
export interface TokenCounts {
  readonly wallets: number;
  readonly masters: number;
  readonly owners: number;
  readonly items: number;
  readonly collections: number;
  readonly transfers: number;
}

const WALLETS_OF_MASTER = 1_000;
const ITEMS_OF_COLLECTION = 1_000;
const WALLETS_OF_OWNER = 20;

/** Number of tokens for a number of transactions. */
function tokenCounts(transactions: number): TokenCounts {
  const wallets = transactions;
  const items = Math.ceil(transactions / 4);
  return {
    wallets,
    masters: Math.ceil(wallets / WALLETS_OF_MASTER),
    owners: Math.ceil(wallets / WALLETS_OF_OWNER),
    items,
    collections: Math.ceil(items / ITEMS_OF_COLLECTION),
    transfers: wallets,
  };
}

/** The address (hex) of a token, owner or master by its number, as the statements below make it. */
export function tokenAddress(kind: 'owner' | 'master', number: number): string {
  return createHash('sha256').update(`${kind}${number}`).digest('hex');
}

/**
 * Fills the tables of `contracts` with tokens for a number of transactions, once; the index then answers from them.
 * @returns the counts
 */
export async function fillTokens(
  data: string,
  client: StoreClient,
  transactions: number,
): Promise<TokenCounts> {
  const { version } = await readPointer(client, NETWORK, CONTRACTS.name);
  if (version === null) await fill(data, client, tokenCounts(transactions));
  const { rows } = await client.queryRows<[string]>(
    `SELECT count() FROM ${await readDatabase(client, CONTRACTS.name)}.token_firsts WHERE kind = 'jetton_wallet'`,
    { route: 'bench' },
  );
  return tokenCounts(Number(rows[0]?.[0]));
}

async function fill(data: string, client: StoreClient, counts: TokenCounts): Promise<void> {
  note(`making ${counts.wallets} jetton wallets and ${counts.items} NFT items`);
  await runSession({ logLevel: 'warn' }, async (session) => {
    const log = await openLog(data, session);
    await prepareStore(client, await requireIdentity(log), [CONTRACTS]);
  });
  const database = await readDatabase(client, CONTRACTS.name);
  const { rows } = await client.queryRows<[number, number]>(
    `SELECT min(first), max(last) FROM ${await readDatabase(client, 'base')}.confirmed`,
    { route: 'bench' },
  );
  const [first, last] = rows[0] as [number, number];
  for (const sql of buildStatements(database, counts, first))
    await client.command(sql, { route: 'bench', timeoutMs: 600_000, maxMemoryBytes: 0 });
  const lanes = getPartitions(CONTRACTS) ?? 1;
  await client.command(
    `INSERT INTO ${database}.confirmed (first, last, epoch, lane) SELECT ${first}, ${last}, 0, number FROM numbers(${lanes})`,
    { route: 'bench' },
  );
}

/** Database of the served version of a projection. */
async function readDatabase(client: StoreClient, projection: string): Promise<string> {
  const { version } = await readPointer(client, NETWORK, projection);
  if (version === null) throw new BenchError(`the index has no projection ${projection}`);
  return versionDatabase(NETWORK, projection, version);
}

/** 32 bytes by a name and a number. */
const id = (name: string, number: string) => `SHA256(concat('${name}', toString(${number})))`;

/** One INSERT for each kind. `position`: a masterchain step of the index. */
function buildStatements(database: string, counts: TokenCounts, position: number): string[] {
  const { wallets, masters, owners, items, collections, transfers } = counts;
  const parents = (kind: string, name: string, code: string, count: number) =>
    state(database, position, count, {
      kind: `'${kind}'`,
      account: id(name, 'number'),
      amount: 'number',
      flag: 'true',
      child_code: id(code, '0'),
      content: `'{"symbol":"T","name":"T"}'`,
    });
  const children = (kind: string, name: string, parent: string, count: number) =>
    state(database, position, count, {
      kind: `'${kind}'`,
      account: id(name, 'number'),
      amount: 'cityHash64(number)',
      is_owner_new: 'true',
      has_owner: 'true',
      owner: id('owner', `number % ${owners}`),
      has_parent: 'true',
      parent,
      child_code: id(`${name} code`, '0'),
    });
  return [
    parents('jetton_master', 'master', 'wallet code', masters),
    parents('nft_collection', 'collection', 'item code', collections),
    children('jetton_wallet', 'wallet', id('master', `number % ${masters}`), wallets),
    children('nft_item', 'item', id('collection', `number % ${collections}`), items),
    `INSERT INTO ${database}.land_token_transfers (mc_seqno, kind, account, lt, hash, now, has_parent, parent, child_code, amount, has_source, source, has_destination, destination)
     SELECT ${position}, 'jetton_transfer', ${id('wallet', 'number')}, number + 1, ${id('transfer', 'number')}, 1700000000 + number, true,
       ${id('master', `number % ${masters}`)}, ${id('wallet code', '0')}, number, true, ${id('owner', `number % ${owners}`)}, true, ${id('owner', `(number * 7919) % ${owners}`)}
     FROM numbers(${transfers})`,
  ];
}

/** Newest states of as many contracts, each seen for the first time. */
function state(
  database: string,
  position: number,
  count: number,
  columns: Readonly<Record<string, string>>,
): string {
  const all = {
    mc_seqno: `${position}`,
    since: `${position}`,
    lt: 'number + 1',
    is_first: 'true',
    code_hash: id('code', '0'),
    data_hash: id('data', 'number'),
    ...columns,
  };
  return `INSERT INTO ${database}.land_token_states (${Object.keys(all).join(', ')}) SELECT ${Object.values(all).join(', ')} FROM numbers(${count})`;
}
