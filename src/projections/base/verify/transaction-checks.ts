import { MESSAGE_TARGETS } from '../../../tables/messages.ts';
import type { Check } from './check.ts';

/** The second value of details is end_status: in JSON before version 3, in RowBinary since, where 3 is `nonexist`. */
const IS_DELETED = `if(startsWith(details, '['), JSONExtractString(details, 2) = 'nonexist', substring(details, 2, 1) = char(3))`;

/** Indexes of messages by the condition on the messages that they list; rows beyond these are found by their counts (`step-rows`). */
const MESSAGE_INDEXES = MESSAGE_TARGETS.flatMap(({ name, where = [] }) => {
  if (!where.some(({ column }) => column === 'listed')) return [];
  const [filter] = where.filter((one) => 'notNull' in one);
  return [[name, filter ? `${filter.column} IS NOT NULL` : '1'] as const];
});

/** The keys of one slice; a version before 3 lists receivers' sides too. */
function indexLacks([table, where]: readonly [string, string]): string {
  const slice = 'mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}';
  return `SELECT '${table}' AS name, count() AS missing FROM {db:Identifier}.messages
          WHERE ${slice} AND (side = 'out' OR kind = 'ext_in') AND ${where}
          AND (created_lt, hash8) NOT IN (SELECT created_lt, hash8 FROM {db:Identifier}.${table} WHERE ${slice})`;
}

const HASH8 = 'reinterpretAsUInt64(reverse(substring(hash, 1, 8)))';

const ACCOUNT = `concat(toString(workchain), ':', hex(account))`;

/** Laws of transactions and messages. */
export const TRANSACTION_CHECKS: readonly Check[] = [
  {
    name: 'transactions-per-block',
    law: 'a block has as many transactions as its account blocks',
    over: 'range',
    sql: `SELECT concat('(', toString(workchain), ',', lower(hex(shard)), ',', toString(seqno), '): ',
        toString(sum(stored)), ' of ', toString(sum(stated)), ' transactions') AS problem
      FROM (
        SELECT workchain, shard, seqno, tx_count AS stated, 0 AS stored FROM {db:Identifier}.blocks
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
        UNION ALL SELECT workchain, shard, seqno, 0, 1 FROM {db:Identifier}.transactions
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
      )
      GROUP BY workchain, shard, seqno HAVING sum(stored) != sum(stated)`,
  },
  {
    name: 'transaction-copies',
    law: 'the columns, the packed rows in both orders and the index by hash contain the same transactions',
    over: 'range',
    sql: `SELECT concat('transactions: ', toString(typed.1), ' rows, packed: ', toString(a.1), ', by account: ', toString(b.1),
        ', by hash: ', toString(c.1)) AS problem
      FROM (
        SELECT
          (SELECT (count(), sum(cityHash64(workchain, account, lt, hash))) FROM {db:Identifier}.transactions
            WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS typed,
          (SELECT (count(), sum(cityHash64(workchain, account, lt, hash, messages, states, details)),
              sum(cityHash64(workchain, account, lt, hash)), sum(cityHash64(${HASH8}, lt))) FROM {db:Identifier}.{packed}
            WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS a,
          (SELECT (count(), sum(cityHash64(workchain, account, lt, hash, messages, states, details))) FROM {db:Identifier}.account_transactions
            WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS b,
          (SELECT (count(), sum(cityHash64(hash8, lt))) FROM {db:Identifier}.transaction_hashes
            WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS c
      )
      WHERE typed != (a.1, a.3) OR b != (a.1, a.2) OR c != (a.1, a.4)`,
  },
  {
    name: 'account-chains',
    law: 'every transaction names the one before it on its account, by lt and hash',
    over: 'accounts',
    needsChain: true,
    sql: `SELECT concat(${ACCOUNT}, ' lt ', toString(lt), ' names lt ', toString(prev_trans_lt), ', stored before it: ',
        toString(before.1)) AS problem
      FROM (
        SELECT account, workchain, lt, prev_trans_lt, prev_trans_hash,
          lagInFrame((lt, hash, is_deleted), 1, (toUInt64(0), toFixedString('', 32), false))
            OVER (PARTITION BY account, workchain ORDER BY lt ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
        FROM (SELECT account, workchain, lt, hash, prev_trans_lt, prev_trans_hash, ${IS_DELETED} AS is_deleted
          FROM {db:Identifier}.account_transactions
          WHERE account >= toFixedString(unhex({from:String}), 32) AND account <= toFixedString(unhex({to:String}), 32)
            AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32})
      )
      -- An account that was deleted begins anew in the next block, with no transaction before.
      WHERE multiIf(
        before.1 = 0, prev_trans_lt >= {start_lt:UInt64} AND prev_trans_lt > 0,
        before.3 AND prev_trans_lt = 0, false,
        before.1 != prev_trans_lt OR before.2 != prev_trans_hash)`,
  },
  {
    name: 'message-pairs',
    law: 'an internal message that was received was sent by a transaction of the index',
    over: 'range',
    needsChain: true,
    sql: `SELECT concat('message ', hex(hash), ' received at lt ', toString(tx_lt), ' was not sent') AS problem
      FROM {db:Identifier}.messages
      WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND side = 'in' AND kind = 'internal'
        AND created_lt >= {start_lt:UInt64}
        -- Messages of the system (minting, recovered fees) come from the zero address and are sent by no transaction.
        AND NOT (source_workchain = -1 AND source = toFixedString('', 32))
        AND (created_lt, hash) NOT IN (
          SELECT created_lt, hash FROM {db:Identifier}.messages
          WHERE side = 'out' AND created_lt IN (
            SELECT created_lt FROM {db:Identifier}.messages
            WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND side = 'in' AND kind = 'internal'))`,
  },
  {
    name: 'messages-per-transaction',
    law: 'a transaction has one row for its incoming message and one for each outgoing message',
    over: 'range',
    sql: `SELECT concat('lt ', toString(lt), ' of ', toString(workchain), ':', hex(account), ': ', toString(sum(stored)),
        ' of ', toString(sum(stated)), ' outgoing messages') AS problem
      FROM (
        SELECT workchain, account, lt, toUInt32(out_msg_count) AS stated, 0 AS stored FROM {db:Identifier}.transactions
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
        UNION ALL SELECT tx_workchain, tx_account, tx_lt, 0, 1 FROM {db:Identifier}.messages
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND side = 'out'
      )
      GROUP BY workchain, account, lt HAVING sum(stored) != sum(stated)`,
  },
  {
    name: 'message-indexes',
    law: 'every sent message, and every message from outside, is in the indexes of messages',
    over: 'range',
    sql: `SELECT concat(name, ' lacks ', toString(missing), ' messages') AS problem FROM (
        ${MESSAGE_INDEXES.map(indexLacks).join('\n        UNION ALL ')}
      ) WHERE missing > 0`,
  },
];
