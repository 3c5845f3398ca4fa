import { packedSql } from '../../../tables/packed.ts';
import { TOKEN_PAYLOAD } from '../../../tables/token-states.ts';
import type { AccountId } from '../../query/account-id.ts';
import { accountCondition, accountParams, accountSet, idCondition } from '../../query/key-lists.ts';
import { Conditions, type Statement } from '../../query/statement.ts';
import { addExactConditions, type TokenFilter, type TokenSource } from './filter.ts';
import { hasOrMayClaim } from './mintless-condition.ts';
import type { TokenKind } from './model.ts';
import { addBehind, tokenOrderSql } from './order.ts';
import type { TokenList } from './plan.ts';
import { soldItems } from './sold-items.ts';

/**
 * Detected tokens (v3-rules.md 6), by their newest outcomes: the first rows of a list, up to the end of its page. They
 * are merged with those from cells.
 */
export function planDetected(source: TokenSource, { filter, page, order }: TokenList): Statement {
  const { detected, claims, visible } = source;
  const conditions = new Conditions()
    .bind({ kind: filter.kind, visible_last: visible.last, most: page.limit + page.offset })
    .add("reason = ''");
  const keys = `SELECT account, workchain, min(since) AS since FROM ${detected}.detected_keys WHERE ${keyCondition(source, filter, conditions)} AND kind = {kind:String} GROUP BY account, workchain`;
  const found = `SELECT * FROM ${detected}.detections WHERE (account, workchain) IN (SELECT account, workchain FROM (${keys})) AND kind = {kind:String} AND mc_seqno <= {visible_last:UInt32} ORDER BY lt DESC LIMIT 1 BY account, workchain`;
  addExactConditions({ ...filter, isAboveZero: false }, soldTo(source, filter), conditions);
  if (filter.isAboveZero) conditions.add(hasOrMayClaim(claims));
  addBehind(conditions, order, page, filter.after);
  return conditions.statement(
    `SELECT account, ${packedSql(TOKEN_PAYLOAD, {}, { is_gone: 'false', link: NO_LINK })} FROM (${found}) AS found ANY INNER JOIN (${keys}) AS keys USING (account, workchain) WHERE ${conditions.text} ORDER BY ${tokenOrderSql(order, page)} LIMIT {most:UInt64}`,
  );
}

/** Whether there may be any of them: a short read, where most lists have none. */
export function planAnyDetected(source: TokenSource, filter: TokenFilter): Statement {
  const table = `${source.detected}.detected_keys`;
  const { addresses = [], owners = [], parents = [] } = filter;
  const [role, accounts] =
    addresses.length > 0
      ? ['account', addresses]
      : owners.length > 0
        ? ['owner', owners]
        : ['parent', parents];
  if (filter.isSoldToo || accounts.length === 0) {
    const conditions = new Conditions().bind({ kind: filter.kind, visible_last: source.visible.last });
    const keys = keyCondition(source, filter, conditions);
    return conditions.statement(`SELECT 1 FROM ${table} WHERE ${keys} AND kind = {kind:String} LIMIT 1`);
  }
  const conditions = accountCondition(accounts, new Conditions(), ['key', 'key_workchain']).add(
    `role = '${role}' AND kind = '${filter.kind}'`,
  );
  return conditions.statement(`SELECT 1 FROM ${table} PREWHERE ${conditions.text} LIMIT 1`);
}

/** Accounts (workchain, hex) among some that get methods were asked of, with one row for each outcome: most were not. */
export function planAttempted(detected: string, accounts: readonly AccountId[]): Statement {
  const conditions = idCondition(accounts, new Conditions());
  return conditions.statement(
    `SELECT workchain, hex(account) FROM ${detected}.detections PREWHERE ${conditions.text}`,
  );
}

/** The keys of the narrowest filter. */
function keyCondition(source: TokenSource, filter: TokenFilter, conditions: Conditions): string {
  const { addresses = [], owners = [], parents = [] } = filter;
  const sold = soldTo(source, filter);
  for (const [name, accounts] of Object.entries({ owners, parents, addresses }))
    if (accounts.length > 0) conditions.bind(accountParams(name, accounts));
  if (addresses.length > 0) return keysIn('account', 'addresses');
  if (owners.length > 0 && sold !== null)
    return `(${keysIn('owner', 'owners')} OR (key, key_workchain) IN (SELECT parent, parent_workchain FROM ${sold}) AND role = 'account')`;
  if (owners.length > 0) return keysIn('owner', 'owners');
  return parents.length > 0 ? keysIn('parent', 'parents') : "role = 'account'";
}

/** Set of items in sales and auctions of the owners; null if not wanted. */
function soldTo({ database, detectedSales }: TokenSource, { isSoldToo }: TokenFilter): string | null {
  return isSoldToo ? soldItems(database, detectedSales, 'owners') : null;
}

function keysIn(role: string, name: string): string {
  return `(key, key_workchain) IN ${accountSet(name)} AND role = '${role}'`;
}

/**
 * Outcomes of some kinds among accounts, ended if their get methods refuse; `since` is the step of the outcome. Rows of
 * one token are merged over time: the newest counts.
 */
export function planDetectedAmong(
  { detected, visible }: TokenSource,
  kinds: readonly TokenKind[],
  accounts: readonly AccountId[],
): Statement {
  const names = kinds.map((kind) => `'${kind}'`).join(', ');
  const conditions = accountCondition(accounts, new Conditions())
    .add(`kind IN (${names})`)
    .add('mc_seqno <= {visible_last:UInt32}', { visible_last: visible.last });
  return conditions.statement(
    `SELECT account, ${TOKEN_OUTCOME} FROM ${detected}.detections PREWHERE ${conditions.text}`,
  );
}

/** Outcomes have none. */
const NO_LINK = "''";
const TOKEN_OUTCOME = packedSql(
  TOKEN_PAYLOAD,
  {},
  {
    is_gone: "reason != ''",
    since: 'mc_seqno',
    link: NO_LINK,
  },
);
