import { metaTable } from '../../query/meta-tables.ts';
import type { ReadScope } from '../../query/scope.ts';
import { type Sql, sql, texts, unsafeSql } from '../../query/sql.ts';
import type { TokenRow } from './model.ts';

/** Claim of a wallet from the operator; null if unset. Decimal text, Unix seconds. */
export interface MintlessClaim {
  readonly amount: string | null;
  readonly startFrom: number | null;
  readonly expireAt: number | null;
  readonly apiUris: readonly string[] | null;
}

const NO_CLAIM: MintlessClaim = { amount: null, startFrom: null, expireAt: null, apiUris: null };

type Scope = Pick<ReadScope<never>, 'query' | 'context'>;

/** Claims by address of the wallets with an open claim by their get method; no statement if there is none. */
export async function readMintless(
  { query, context }: Scope,
  wallets: readonly TokenRow[],
): Promise<ReadonlyMap<string, MintlessClaim>> {
  const open = wallets.filter(({ kind, flag }) => kind === 'jetton_wallet' && flag);
  const claimed = metaTable(context, 'mintless_amounts');
  const links = metaTable(context, 'mintless_masters');
  if (open.length === 0) return new Map();
  if (claimed === null || links === null) return new Map(open.map(({ address }) => [address, NO_CLAIM]));
  const masters = texts([...new Set(open.map(({ parent }) => parent ?? ''))]);
  const owners = texts([...new Set(open.map(({ owner }) => owner ?? ''))]);
  const [amounts, uris] = await Promise.all([
    query(sql`SELECT concat(jetton, ' ', owner), toString(amount), start_from, expire_at FROM ${unsafeSql(claimed)} FINAL
      WHERE jetton IN ${masters} AND owner IN ${owners} AND amount > 0`),
    query(sql`SELECT address, custom_payload_api_uris FROM ${unsafeSql(links)} FINAL
      WHERE address IN ${masters} AND notEmpty(custom_payload_api_uris)`),
  ]);
  const apis = new Map(uris.map(([address, list]) => [String(address), list as readonly string[]]));
  const claims = new Map(
    amounts.map(([pair, amount, startFrom, expireAt]) => [
      String(pair),
      {
        amount: String(amount),
        startFrom: startFrom as number | null,
        expireAt: expireAt as number | null,
      },
    ]),
  );
  return new Map(
    open.map(({ address, parent, owner }) => [
      address,
      { ...NO_CLAIM, ...claims.get(`${parent} ${owner}`), apiUris: apis.get(parent ?? '') ?? null },
    ]),
  );
}

/** Condition: a wallet has jettons, or may claim some. `claims`: the table of claims; null for none. */
export function hasOrMayClaim(claims: string | null): Sql {
  if (claims === null) return sql`amount > 0`;
  const raw = (name: string) => unsafeSql(`concat(toString(${name}_workchain), ':', hex(${name}))`);
  return sql`(amount > 0 OR (flag AND (${raw('parent')}, ${raw('owner')}) IN (SELECT jetton, owner FROM ${unsafeSql(claims)} FINAL WHERE amount > 0)))`;
}
