/* Transfers, burns and mints of jettons, one by one and by hour. */
import { addressText } from '../../tables/views/text-forms.ts';
import { detectedWallets } from './detected-tokens.ts';
import type { LakeSources } from './sources.ts';
import { visibleSums } from './sums-view.ts';
import { isVisible } from './visible.ts';

const NULL_TEXT = `CAST(NULL, 'Nullable(String)')`;
const WALLET = `toNullable(${addressText('e.account', 'e.workchain')})`;
/** Amounts of more than 38 digits are not shown. */
const TOO_MUCH = `toUInt256('1${'0'.repeat(38)}')`;
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

/** Rows of `jetton_events`, from which versions they come, and what their traces are. */
export interface JettonEvents {
  /** False: the served version of `contracts` has no table of mints. */
  readonly hasMints: boolean;
  /** Expression of the trace of a row `e`. */
  readonly traceId: string;
}

/**
 * Events in the columns that `jetton_events` names. On a cluster, a column must not have the name of one that the table
 * computes: `sender` is the text of `source`, and so on.
 */
export function jettonMoves(sources: LakeSources, { hasMints, traceId }: JettonEvents): string {
  const moves = [...transfers(sources, traceId), ...(hasMints ? mints(sources, traceId) : [])];
  return `(${moves.join(' UNION ALL ')})`;
}

const party = (table: string, name: string) =>
  `if(${table}.has_${name}, ${addressText(`${table}.${name}`, `${table}.${name}_workchain`)}, NULL)`;
const master = (table: string) => addressText(`${table}.parent`, `${table}.parent_workchain`);
const detectedJoin = (wallets: string) =>
  `INNER JOIN ${wallets} AS d ON d.account = e.account AND d.workchain = e.workchain`;
/** The index by the text of the wallet finds the rows. */
const isDetected = (wallets: string) =>
  `${WALLET} IN (SELECT ${addressText('y.account', 'y.workchain')} FROM ${wallets} AS y)`;

function transfers(sources: LakeSources, traceId: string): readonly string[] {
  const kinds = `e.kind IN ('jetton_transfer', 'jetton_burn') AND ${isVisible(sources, 'contracts', 'e')}`;
  const select = (parent: string) =>
    `SELECT ${TYPE('e')}, base64Encode(e.hash) AS tx_hash, e.lt AS lt, e.now AS now, ${traceId} AS trace_id, e.aborted AS aborted,` +
    ` e.query_id AS query_id, e.amount AS amount, ${party('e', 'source')} AS sender, ${party('e', 'destination')} AS receiver, ${WALLET} AS wallet,` +
    ` toNullable(${master(parent)}) AS master, ${party('e', 'response')} AS excess_receiver,` +
    ` e.custom_payload AS custom_payload, if(e.kind = 'jetton_burn', NULL, e.forward_amount) AS forward_value,` +
    ` e.forward_payload AS forward_payload FROM ${sources.databases.contracts}.token_transfers AS e`;
  const known = `${select('e')} WHERE ${kinds} AND e.has_parent AND ${isNamedByMaster(sources, 'e')}`;
  const wallets = detectedWallets(sources);
  if (wallets === null) return [known];
  const isOne = `${kinds} AND NOT e.has_parent AND ${isDetected(wallets)}`;
  return [known, `${select('d')} ${detectedJoin(wallets)} WHERE ${isOne}`];
}

/** What a detected wallet received is a mint if its master sent it. */
const IS_OF_MASTER = 'd.parent = e.parent AND d.parent_workchain = e.parent_workchain';

function mints(sources: LakeSources, traceId: string): readonly string[] {
  const select = (wallet: string) =>
    `SELECT 'mint' AS type, base64Encode(e.hash) AS tx_hash, e.lt AS lt, e.now AS now, ${traceId} AS trace_id, e.aborted AS aborted,` +
    ` e.query_id AS query_id, e.amount AS amount, ${NULL_TEXT} AS sender, ${party(wallet, 'owner')} AS receiver, ${WALLET} AS wallet,` +
    ` toNullable(${master('e')}) AS master, ${party('e', 'response')} AS excess_receiver, '' AS custom_payload,` +
    ` toNullable(e.forward_amount) AS forward_value, e.forward_payload AS forward_payload FROM ${sources.databases.contracts}.jetton_mints AS e`;
  const visible = isVisible(sources, 'contracts', 'e');
  const known = `${select('e')} WHERE ${visible} AND e.is_known AND ${isNamedByMaster(sources, 'e')}`;
  const wallets = detectedWallets(sources);
  if (wallets === null) return [known];
  const isOne = `${visible} AND NOT e.is_known AND ${IS_OF_MASTER} AND ${isDetected(wallets)}`;
  return [known, `${select('d')} ${detectedJoin(wallets)} WHERE ${isOne}`];
}

/** Events by hour: hour, type, master, aborted, events, amount. `hasMints`: as of `jettonMoves`. */
export function jettonHours(sources: LakeSources, { hasMints }: Pick<JettonEvents, 'hasMints'>): string {
  const sums = visibleSums(sources, 'contracts', 'jetton_hours');
  const select = (parent: string) =>
    `SELECT s.hour AS hour, ${TYPE('s')}, ${master(parent)} AS master,` +
    ` s.aborted AS aborted, s.events AS events, s.amount AS amount FROM ${sums} AS s`;
  const isNamed = `s.has_parent AND ${isNamedByMaster(sources, 's')}`;
  const hours = [`${select('s')} WHERE ${isNamed}`];
  const wallets = detectedWallets(sources);
  if (wallets !== null)
    hours.push(
      `${select('d')} INNER JOIN ${wallets} AS d ON d.account = s.wallet AND d.workchain = s.wallet_workchain WHERE NOT s.has_parent`,
    );
  if (hasMints)
    hours.push(
      `SELECT toStartOfHour(toDateTime(n.now, 'UTC')) AS hour, n.type AS type, assumeNotNull(n.master) AS master, n.aborted AS aborted,` +
        ` toInt64(1) AS events, if(n.amount < ${TOO_MUCH}, toInt256(n.amount), toInt256(0)) AS amount FROM (${mints(sources, 'NULL').join(' UNION ALL ')}) AS n`,
    );
  return `(${hours.join(' UNION ALL ')})`;
}
