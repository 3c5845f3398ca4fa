import { quoted } from '../../platform/clickhouse/quoted.ts';
import { LAUNCHPADS, PROVEN_PROJECTS } from '../../tables/lake/trades.ts';
import { DOLLARS, EXCHANGE_CONTRACTS, TONS } from './exchange-contracts.ts';
import { lookupName } from './lookup-names.ts';
import type { LakeSources } from './sources.ts';

const list = (values: readonly string[]) => `(${values.map(quoted).join(', ')})`;

/** Condition: a token is TON or represents it. */
export const isTon = (token: string) => `${token} IN ${list(TONS)}`;
/** Condition: a token is worth one dollar for 10^6 units. */
export const isDollar = (token: string) => `${token} IN ${list(DOLLARS)}`;
/** All forms of TON, as an array. */
export const tons = () => `[${TONS.map(quoted).join(', ')}]`;

/** Type of a project: launchpad or dex. */
export const projectType = (project: string) => `if(${project} IN ${list(LAUNCHPADS)}, 'launchpad', 'dex')`;

/**
 * Condition: the trade is visible and its pool is a known pool of the project, since any contract can send messages of an exchange's
 * format. Known are pools that a router of the project pays for, pools by whose order a vault of the project has paid, and pools that
 * the project's factory sent a message to. A vault is known if it paid by order of a pool that a vault of the list paid for: a pool
 * only gives orders to vaults of its factory, and a vault only pays by order of pools of its factory. A
 * jetton master of a launchpad is known by the code of its wallets; rows of PROVEN_PROJECTS are proven already. Networks without published exchanges: every pool of a whole swap.
 */
export function isKnownTrade(sources: LakeSources, alias: string, visible: string): string {
  const known = EXCHANGE_CONTRACTS[sources.network];
  if (!known) return visible;
  const { base, lake, contracts, detections } = sources.databases;
  const routers = Object.entries(known.routers).map(([name, addresses]) => {
    const [project = '', version] = name.split(' ');
    return `${alias}.project = ${quoted(project)} AND ${alias}.version = ${version} AND ${alias}.router IN ${list(addresses)}`;
  });
  const paid = `SELECT pool FROM ${lake}.pool_payers WHERE payer`;
  const payers = `SELECT payer FROM ${lake}.pool_payers WHERE pool`;
  // Pools that a vault of the list paid for; then the vaults that paid for those, and all pools that these paid for.
  const vaults = Object.entries(known.vaults).map(
    ([project, addresses]) =>
      `${alias}.project = ${quoted(project)} AND ${alias}.pool IN (${paid} IN (${payers} IN (${paid} IN ${list(addresses)})))`,
  );
  const factories = Object.entries(known.factories).map(([project, addresses]) => {
    const keys = addresses
      .map((address) => `(unhex('${address.slice(2)}'), ${address.slice(0, 1)})`)
      .join(', ');
    const sent = `SELECT created_lt, hash8 FROM ${base}.messages_by_source WHERE (source, source_workchain) IN (${keys})`;
    return `${alias}.project = ${quoted(project)} AND ${alias}.pool IN (SELECT concat(toString(destination_workchain), ':', hex(destination)) FROM ${base}.messages WHERE (created_lt, hash8) IN (${sent}) AND side = 'out')`;
  });
  const wallets = Object.entries(known.walletCodes).flatMap(([project, codes]) => {
    const masters = [contracts, detections].flatMap((database) => {
      const hashes = codes.map((code) => `unhex('${code}')`).join(', ');
      return database === undefined
        ? []
        : `SELECT concat(toString(workchain), ':', hex(account)) FROM ${database}.token_firsts WHERE kind = 'jetton_master' AND child_code IN (${hashes})`;
    });
    return masters.map((one) => `${alias}.project = ${quoted(project)} AND ${alias}.pool IN (${one})`);
  });
  const proven = `${alias}.project IN ${list(PROVEN_PROJECTS)}`;
  const conditions = [...routers, ...vaults, ...factories, ...wallets, proven].map((one) => `(${one})`);
  return `${visible} AND (${conditions.join(' OR ')})`;
}

/** Price of a token on the day of a trade, TON for the smallest unit, from trades against TON; 0 without one. */
export function tokenPrice(sources: LakeSources, token: string, time: string): string {
  return `dictGet('${lookupName(sources, 'token_prices')}', 'price', (toDate(toDateTime(${time}, 'UTC')), ${token}))`;
}

/** Value of a trade in TON: of its side in TON, or by the price of a token on that day. `t`: the trade. */
export function volumeInTon(sources: LakeSources): string {
  const exact = (amount: string) =>
    `accurateCastOrNull(toDecimal128OrNull(toString(${amount}), 9) / 1000000000, 'Decimal(20, 9)')`;
  const priced = (amount: string, price: string) =>
    `accurateCastOrNull(toFloat64(${amount}) * ${price}, 'Decimal(20, 9)')`;
  const [sold, bought] = [
    tokenPrice(sources, "ifNull(t.sold, '')", 't.time'),
    tokenPrice(sources, "ifNull(t.bought, '')", 't.time'),
  ];
  return `multiIf(${isTon('t.sold')}, ${exact('t.amount_sold')}, ${isTon('t.bought')}, ${exact('t.amount_bought')}, ${sold} > 0, ${priced('t.amount_sold', sold)}, ${bought} > 0, ${priced('t.amount_bought', bought)}, NULL)`;
}

/** Value of a trade in dollars, of its side in a dollar token. `t`: the trade. */
export function volumeInDollars(): string {
  const exact = (amount: string) =>
    `accurateCastOrNull(toDecimal128OrNull(toString(${amount}), 6) / 1000000, 'Decimal(20, 6)')`;
  return `multiIf(${isDollar('t.sold')}, ${exact('t.amount_sold')}, ${isDollar('t.bought')}, ${exact('t.amount_bought')}, NULL)`;
}

/** Query of the look-up `token_prices`, with the placeholder of dictionaries for its key. */
export function tokenPricesQuery(sources: LakeSources): string {
  const { lake } = sources.databases;
  const side = (token: string, amount: string, other: string, ton: string) =>
    `SELECT toDate(toDateTime(t.time, 'UTC')) AS day, t.${token} AS token, toFloat64(t.${amount}) AS amount, toFloat64(t.${ton}) AS ton FROM ${lake}.trades AS t WHERE ${isTon(`t.${other}`)} AND ${isKnownTrade(sources, 't', '1')}`;
  // The condition is on the stored column, which has an index.
  const found = `SELECT day, token AS named, sum(ton) / 1e9 / sum(amount) AS price FROM (${side('sold', 'amount_sold', 'bought', 'amount_bought')} UNION ALL ${side('bought', 'amount_bought', 'sold', 'amount_sold')}) WHERE {condition} GROUP BY day, token HAVING sum(amount) > 0`;
  return `SELECT day, assumeNotNull(named) AS token, price FROM (${found})`;
}
