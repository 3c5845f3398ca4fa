/* Transfers, burns and mints of jettons, one by one and by hour. */
import { addressText } from '../../tables/views/text-forms.ts';
import { detectedWallets } from './detected-tokens.ts';
import type { LakeSources } from './sources.ts';
import { visibleSums } from './sums-view.ts';
import { isVisible } from './visible.ts';

const NULL_TEXT = `CAST(NULL, 'Nullable(String)')`;
const WALLET = `toNullable(${addressText('e.account', 'e.workchain')})`;
const TYPE = (alias: string) => `if(${alias}.kind = 'jetton_burn', 'burn', 'transfer') AS type`;

/** Codes of wallets that masters name: account, workchain, child_code. Masters are known by cells or by get methods. */
export function namedWalletCodes({ contracts, detections }: LakeSources['databases']): string {
  return [contracts, detections]
    .filter((database) => database !== undefined)
    .map(
      (database) =>
        `SELECT account, workchain, child_code FROM ${database}.token_firsts WHERE kind = 'jetton_master'`,
    )
    .join(' UNION ALL ');
}

/** Condition: the master of a row names the code of its wallets. */
export function isNamedByMaster({ databases }: LakeSources, alias: string): string {
  return `(${alias}.parent, ${alias}.parent_workchain, ${alias}.child_code) IN (${namedWalletCodes(databases)})`;
}

/**
 * Events in the columns that `jetton_events` names. `traceId`: expression of the trace of a transfer `e`. On a cluster, a
 * column must not have the name of one that the table computes: `sender` is the text of `source`, and so on.
 */
export function jettonMoves(sources: LakeSources, traceId: string): string {
  const kinds = `e.kind IN ('jetton_transfer', 'jetton_burn') AND ${isVisible(sources, 'contracts', 'e')}`;
  const party = (name: string) =>
    `if(e.has_${name}, ${addressText(`e.${name}`, `e.${name}_workchain`)}, NULL)`;
  const select = (parent: string) =>
    `SELECT ${TYPE('e')}, base64Encode(e.hash) AS tx_hash, e.lt AS lt, e.now AS now, ${traceId} AS trace_id, e.aborted AS aborted,` +
    ` e.query_id AS query_id, e.amount AS amount, ${party('source')} AS sender, ${party('destination')} AS receiver, ${WALLET} AS wallet,` +
    ` toNullable(${addressText(`${parent}.parent`, `${parent}.parent_workchain`)}) AS master, ${party('response')} AS excess_receiver,` +
    ` e.custom_payload AS custom_payload, if(e.kind = 'jetton_burn', NULL, e.forward_amount) AS forward_value,` +
    ` e.forward_payload AS forward_payload FROM ${sources.databases.contracts}.token_transfers AS e`;
  const moves = [`${select('e')} WHERE ${kinds} AND e.has_parent AND ${isNamedByMaster(sources, 'e')}`];
  const wallets = detectedWallets(sources);
  if (wallets !== null) {
    // The index by the text of the wallet finds the rows.
    const isOne = `${WALLET} IN (SELECT ${addressText('y.account', 'y.workchain')} FROM ${wallets} AS y)`;
    const join = `INNER JOIN ${wallets} AS d ON d.account = e.account AND d.workchain = e.workchain`;
    moves.push(`${select('d')} ${join} WHERE ${kinds} AND NOT e.has_parent AND ${isOne}`);
  }
  const { lake } = sources.databases;
  if (lake !== undefined) moves.push(mintedEvents(sources, lake));
  return `(${moves.join(' UNION ALL ')})`;
}

function mintedEvents(sources: LakeSources, lake: string): string {
  return (
    `SELECT 'mint' AS type, n.tx_hash AS tx_hash, n.lt AS lt, n.time AS now, toNullable(n.trace_id) AS trace_id, false AS aborted, n.query_id AS query_id,` +
    ` n.amount AS amount, ${NULL_TEXT} AS sender, n.owner AS receiver, toNullable(n.wallet) AS wallet, toNullable(n.master) AS master,` +
    ` nullIf(n.response, '') AS excess_receiver, '' AS custom_payload, toNullable(n.forward_amount) AS forward_value, n.forward_payload AS forward_payload` +
    ` FROM ${lake}.mints AS n WHERE ${isVisible(sources, 'lake', 'n')}`
  );
}

/** Events by hour: hour, type, master, aborted, events, amount. */
export function jettonHours(sources: LakeSources): string {
  const sums = visibleSums(sources, 'contracts', 'jetton_hours');
  const select = (parent: string) =>
    `SELECT s.hour AS hour, ${TYPE('s')}, ${addressText(`${parent}.parent`, `${parent}.parent_workchain`)} AS master,` +
    ` s.aborted AS aborted, s.events AS events, s.amount AS amount FROM ${sums} AS s`;
  const isNamed = `s.has_parent AND ${isNamedByMaster(sources, 's')}`;
  const hours = [`${select('s')} WHERE ${isNamed}`];
  const wallets = detectedWallets(sources);
  if (wallets !== null)
    hours.push(
      `${select('d')} INNER JOIN ${wallets} AS d ON d.account = s.wallet AND d.workchain = s.wallet_workchain WHERE NOT s.has_parent`,
    );
  const { lake } = sources.databases;
  if (lake !== undefined)
    hours.push(
      `SELECT toStartOfHour(toDateTime(n.time, 'UTC')) AS hour, 'mint' AS type, n.master AS master, false AS aborted, toInt64(1) AS events, toInt256(n.amount) AS amount FROM ${lake}.mints AS n WHERE ${isVisible(sources, 'lake', 'n')}`,
    );
  return `(${hours.join(' UNION ALL ')})`;
}
