import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { MINTLESS_AMOUNTS } from '../../tables/meta/metadata.ts';
import { writtenTypes } from '../../tables/table.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';

const route = 'metadata/mintless';

/** Amount that an owner may claim; the address raw with upper-case digits, times in Unix seconds. */
export interface MintlessAmount {
  readonly owner: string;
  /** Zero takes back what was said. */
  readonly amount: bigint;
  readonly startFrom: number | null;
  readonly expireAt: number | null;
}

/** A mintless jetton from the operator. */
export interface MintlessMaster {
  /** Raw, upper-case digits. */
  readonly address: string;
  readonly apiUris: readonly string[];
  /** Owners who may claim. */
  readonly owners: number;
}

/** The mintless jettons of a network that something is said of, by address. */
export async function readMintlessMasters(
  client: StoreClient,
  network: string,
): Promise<readonly MintlessMaster[]> {
  const database = metaDatabase(network);
  const { rows } = await client.queryRows<[string, string[], string]>(
    `SELECT address, arrayFlatten(groupArray(uris)), toString(sum(owners)) FROM (
       SELECT address, custom_payload_api_uris AS uris, toUInt64(0) AS owners FROM ${database}.mintless_masters FINAL
       WHERE notEmpty(custom_payload_api_uris)
       UNION ALL SELECT jetton, [], count() FROM ${database}.mintless_amounts FINAL WHERE amount > 0 GROUP BY jetton)
     GROUP BY address ORDER BY address`,
    { route, timeoutMs: 60_000 },
  );
  return rows.map(([address, apiUris, owners]) => ({ address, apiUris, owners: Number(owners) }));
}

/** Replaces the claim links of a master's wallets. */
export async function writeClaimLinks(
  client: StoreClient,
  network: string,
  { address, apiUris }: Pick<MintlessMaster, 'address' | 'apiUris'>,
): Promise<void> {
  await client.command(
    `INSERT INTO ${metaDatabase(network)}.mintless_masters (address, custom_payload_api_uris)
     SELECT {address:String}, {uris:Array(String)}`,
    { route, params: { address, uris: apiUris } },
  );
}

/** Replaces the claimable amounts of some owners of a master. */
export async function writeMintlessAmounts(
  client: StoreClient,
  network: string,
  master: string,
  amounts: readonly MintlessAmount[],
): Promise<void> {
  if (amounts.length === 0) return;
  const table = new TableBuilder(MINTLESS_AMOUNTS.name, writtenTypes(MINTLESS_AMOUNTS));
  const { col } = table;
  for (const { owner, amount, startFrom, expireAt } of amounts) {
    col.jetton.push(Buffer.from(master));
    col.owner.push(Buffer.from(owner));
    col.amount.push(amount);
    col.start_from.push(startFrom);
    col.expire_at.push(expireAt);
    table.endRow();
  }
  await client.insertNative(`${metaDatabase(network)}.mintless_amounts`, encodeNativeBlock(table), { route });
}

/** Takes back what was said of a master and its owners. */
export async function removeMintless(client: StoreClient, network: string, address: string): Promise<void> {
  const database = metaDatabase(network);
  const params = { address };
  // Newer than what it replaces, whatever clock wrote that.
  const later = 'greatest(now64(3), at + toIntervalMillisecond(1))';
  await client.command(
    `INSERT INTO ${database}.mintless_masters SELECT address, [], ${later} FROM ${database}.mintless_masters FINAL WHERE address = {address:String}`,
    { route, params },
  );
  await client.command(
    `INSERT INTO ${database}.mintless_amounts SELECT jetton, owner, 0, NULL, NULL, ${later} FROM ${database}.mintless_amounts FINAL
     WHERE jetton = {address:String} AND amount > 0`,
    { route, params, timeoutMs: 600_000 },
  );
}
