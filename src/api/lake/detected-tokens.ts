/*
 * Jetton wallets that only get methods identify. Their records have no time: it is that of the account's state in `base`.
 */
import { addressText } from '../../tables/views/text-forms.ts';
import type { LakeSources } from './sources.ts';
import { isVisible } from './visible.ts';

const CHANGED = ['had', 'had_amount', 'had_parent', 'had_parent_workchain'] as const;
const STATE = [
  ...['account', 'workchain', 'lt', 'is_gone', 'amount'],
  ...['has_owner', 'owner', 'owner_workchain', 'has_parent', 'parent', 'parent_workchain'],
] as const;

const PARTIES = ['parent', 'parent_workchain', 'has_owner', 'owner', 'owner_workchain'] as const;

/** The newest parent and owner of each detected wallet, in the columns of `token_states`; null without detections. */
export function detectedWallets(sources: LakeSources): string | null {
  const { detections } = sources.databases;
  if (detections === undefined) return null;
  return (
    `(SELECT x.account AS account, x.workchain AS workchain, ${PARTIES.map((name) => `argMax(x.${name}, x.lt) AS ${name}`).join(', ')}` +
    ` FROM ${detections}.token_states AS x WHERE x.kind = 'jetton_wallet' AND x.has_parent AND ${isVisible(sources, 'detections', 'x')}` +
    ` GROUP BY x.account, x.workchain)`
  );
}

/**
 * States of detected wallets with their times (`now`, Unix seconds; 0 before the index), and with `CHANGED` what they replaced.
 * Null without detections.
 */
function detectedStates(
  sources: LakeSources,
  further: readonly (typeof CHANGED)[number][] = [],
): string | null {
  const { detections, base } = sources.databases;
  if (detections === undefined || base === undefined) return null;
  const isWallet = `x.kind = 'jetton_wallet' AND ${isVisible(sources, 'detections', 'x')}`;
  const places = `SELECT x.account, x.workchain, x.lt FROM ${detections}.token_states AS x WHERE ${isWallet}`;
  const times =
    `SELECT t.account AS account, t.workchain AS workchain, t.lt AS lt, max(t.now) AS now FROM ${base}.account_states AS t` +
    ` WHERE (t.account, t.workchain, t.lt) IN (${places}) GROUP BY t.account, t.workchain, t.lt`;
  const columns = [...STATE, ...further].map((name) => `x.${name} AS ${name}`).join(', ');
  return (
    `(SELECT ${columns}, n.now AS now FROM ${detections}.token_states AS x` +
    ` INNER JOIN (${times}) AS n ON n.account = x.account AND n.workchain = x.workchain AND n.lt = x.lt WHERE ${isWallet})`
  );
}

const OWNER = addressText('w.owner', 'w.owner_workchain');
const MASTER = addressText('w.parent', 'w.parent_workchain');
const OF_OWNER = 'w.now > 0 AND w.has_owner AND w.has_parent';

/** Balances of detected wallets in the columns of `balances_history`, as a further part of a union; nothing without detections. */
export function detectedBalances(sources: LakeSources): string {
  const states = detectedStates(sources);
  if (states === null) return '';
  return (
    `UNION ALL SELECT ${OWNER} AS address, ${MASTER} AS asset, toDecimal128OrNull(toString(if(w.is_gone, 0, w.amount)), 0) AS amount,` +
    ` CAST(NULL, 'Nullable(Bool)') AS mintless_claimed, w.now AS now, w.lt AS lt FROM ${states} AS w WHERE ${OF_OWNER}`
  );
}

/** Last balances of detected wallets by day in the columns of `balances_daily`, as a further part of a union. */
export function detectedDays(sources: LakeSources): string {
  const states = detectedStates(sources);
  if (states === null) return '';
  return (
    `UNION ALL SELECT ${OWNER} AS address, ${MASTER} AS asset, w.account AS wallet, toDate(toDateTime(w.now, 'UTC')) AS day, argMax(if(w.is_gone, 0, w.amount), w.lt) AS amount` +
    ` FROM ${states} AS w WHERE ${OF_OWNER} GROUP BY address, asset, wallet, day`
  );
}

/**
 * Changes of the holders of jettons of detected wallets, as a further part of a union; nothing if no detections say what a state
 * replaced.
 */
export function detectedHolders(sources: LakeSources): string {
  const states = sources.hasOlderDetections ? null : detectedStates(sources, CHANGED);
  if (states === null) return '';
  const change = (parent: string, isHeld: string) =>
    `(${addressText(parent, `${parent}_workchain`)}, ${isHeld})`;
  const changes = [
    change('w.parent', 'toInt64(NOT w.is_gone AND w.has_parent AND w.amount > 0)'),
    change('w.had_parent', '-toInt64(w.had AND w.had_amount > 0)'),
  ];
  return `UNION ALL SELECT toDate(toDateTime(w.now, 'UTC')) AS day, c.1 AS master, c.2 AS change FROM ${states} AS w ARRAY JOIN [${changes.join(', ')}] AS c`;
}

/** Newest balances of detected wallets in the columns of `latest_balances`. `newest`: the newest states of detected tokens. */
export function detectedLatest(newest: string, sources: LakeSources): string {
  const states = detectedStates(sources);
  if (states === null) return '';
  const time = `(SELECT s.account AS account, s.workchain AS workchain, s.lt AS lt, s.now AS now FROM ${states} AS s)`;
  return (
    `UNION ALL SELECT ${OWNER} AS address, ${MASTER} AS asset, toDecimal128OrNull(toString(w.amount), 0) AS amount,` +
    ` if(n.now > 0, toDateTime(n.now, 'UTC'), NULL) AS block_time, w.lt AS last_lt FROM ${newest} AS w` +
    ` LEFT JOIN ${time} AS n ON n.account = w.account AND n.workchain = w.workchain AND n.lt = w.lt` +
    ` WHERE w.kind = 'jetton_wallet' AND NOT w.is_gone AND w.has_owner AND w.has_parent`
  );
}
