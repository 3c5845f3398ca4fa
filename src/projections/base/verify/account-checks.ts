import type { Check } from './check.ts';

const ACCOUNT = `concat(toString(workchain), ':', hex(account))`;
const IN_SLICE = `account >= toFixedString(unhex({from:String}), 32) AND account <= toFixedString(unhex({to:String}), 32)`;

/**
 * Compares the states of every account with its row in a merged table. Rows in flight appear in one of the tables
 * first, so two states are used for each account: the newest confirmed one, and the newest one. They are equal if
 * nothing is being written.
 */
const STATES = `
  SELECT account, workchain,
    max(lt) AS newest, argMax(HASH, lt) AS newest_hash, argMax(balance, lt) AS newest_balance,
    maxIf(lt, mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS confirmed
  FROM {db:Identifier}.account_states WHERE ${IN_SLICE} GROUP BY account, workchain`;
const statesBy = (hash: string) => STATES.replace('HASH', hash);

/** Laws of account states and balances. */
export const ACCOUNT_CHECKS: readonly Check[] = [
  {
    name: 'account-states',
    law: "the state after an account's last transaction in a block has the hash that the transaction states",
    over: 'range',
    sql: `SELECT concat(${ACCOUNT}, ' lt ', toString(lt), ': ',
        if(t.1 = 0, 'no transaction made this state', 'another state hash')) AS problem
      FROM (
        SELECT workchain, account, lt, hash,
          (count_of, stated) AS t
        FROM {db:Identifier}.account_states AS s
        LEFT JOIN (
          SELECT workchain, account, lt, 1 AS count_of, state_hash_after AS stated FROM {db:Identifier}.{packed}
          WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
        ) AS made USING (workchain, account, lt)
        WHERE s.mc_seqno BETWEEN {first:UInt32} AND {last:UInt32} AND s.origin = 'block'
      )
      WHERE t.1 = 0 OR t.2 != hash`,
  },
  {
    name: 'account-cells',
    law: 'every account state has its cell',
    over: 'range',
    sql: `SELECT concat('account_states: ', toString(states), ' rows that are not of deleted accounts, account_cells: ',
        toString(cells)) AS problem
      FROM (
        SELECT
          (SELECT count() FROM {db:Identifier}.account_states WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}
            AND status != 'nonexist') AS states,
          (SELECT count() FROM {db:Identifier}.account_cells WHERE mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS cells
      )
      WHERE states != cells`,
  },
  {
    name: 'state-chains',
    law: 'a state replaces the one stored before it, with that lt and balance',
    over: 'accounts',
    needsChain: true,
    sql: `SELECT concat(${ACCOUNT}, ' lt ', toString(lt), ' replaces lt ', toString(prev_lt), ', stored before it: ',
        toString(before.1)) AS problem
      FROM (
        SELECT account, workchain, lt, status, has_prev, prev_lt, prev_balance, origin,
          lagInFrame((lt, balance, status), 1, (toUInt64(0), toUInt128(0), 'none'))
            OVER (PARTITION BY account, workchain ORDER BY lt ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS before
        FROM (SELECT account, workchain, lt, toString(status) AS status, balance, has_prev, prev_lt, prev_balance, origin
          FROM {db:Identifier}.account_states WHERE ${IN_SLICE} AND mc_seqno BETWEEN {first:UInt32} AND {last:UInt32})
      )
      WHERE origin = 'block' AND before.3 NOT IN ('none', 'nonexist')
        AND (NOT (has_prev OR prev_lt > 0) OR before.1 != prev_lt OR before.2 != prev_balance)`,
  },
  {
    name: 'latest-accounts',
    law: 'the newest state of every account is the last of its states',
    over: 'accounts',
    sql: `SELECT concat(${ACCOUNT}, ': latest lt ', toString(latest), ', last stored lt ', toString(newest)) AS problem
      FROM (${statesBy('hash')}) AS stored
      FULL JOIN (
        SELECT account, workchain, max(lt) AS latest, argMax(hash, lt) AS latest_hash
        FROM {db:Identifier}.accounts_latest WHERE ${IN_SLICE} GROUP BY account, workchain
      ) AS merged USING (account, workchain)
      WHERE latest < confirmed OR latest > newest OR (latest = newest AND latest_hash != newest_hash)`,
  },
  {
    name: 'account-codes',
    law: 'the code in the address book is the code of the newest state',
    over: 'accounts',
    sql: `SELECT concat(${ACCOUNT}, ': lt ', toString(latest), ', last stored lt ', toString(newest),
        if(latest = newest, ', another code', '')) AS problem
      FROM (${statesBy('code_hash')}) AS stored
      FULL JOIN (
        SELECT account, workchain, max(lt) AS latest, toFixedString(substring(argMax(newest, lt), 45), 32) AS latest_code
        FROM {db:Identifier}.account_codes WHERE ${IN_SLICE} GROUP BY account, workchain
      ) AS merged USING (account, workchain)
      WHERE latest < confirmed OR latest > newest OR (latest = newest AND latest_code != newest_hash)`,
  },
  {
    name: 'balance-days',
    law: 'balance_days contains the last balance of every account on each day',
    over: 'accounts',
    table: 'balance_days',
    sql: `SELECT concat(${ACCOUNT}, ' on ', toString(day), ': lt ', toString(latest), ', last stored lt ', toString(newest),
        if(latest = newest, ', another balance', '')) AS problem
      FROM (
        SELECT account, workchain, toDate(toDateTime(now, 'UTC')) AS day, max(lt) AS newest, argMax(balance, lt) AS newest_balance,
          maxIf(lt, mc_seqno BETWEEN {first:UInt32} AND {last:UInt32}) AS confirmed
        FROM {db:Identifier}.account_states WHERE ${IN_SLICE} AND origin = 'block' GROUP BY account, workchain, day
      ) AS stored
      FULL JOIN (
        SELECT account, workchain, day, max(lt) AS latest, argMax(balance, lt) AS latest_balance
        FROM {db:Identifier}.balance_days WHERE ${IN_SLICE} GROUP BY account, workchain, day
      ) AS merged USING (account, workchain, day)
      WHERE latest < confirmed OR latest > newest OR (latest = newest AND latest_balance != newest_balance)`,
  },
  {
    name: 'ranked-balances',
    law: 'the ranking contains the newest balance of every account once, and nothing else',
    over: 'accounts',
    needsChain: true,
    sql: `SELECT concat(${ACCOUNT}, ': balance ', toString(balance), ' at lt ', toString(lt), ' stands ', toString(sum(net)),
        ' times, wanted ', toString(sum(wanted))) AS problem
      FROM (
        SELECT account, workchain, lt, balance, net, toInt64(0) AS wanted FROM {db:Identifier}.balances_ranked WHERE ${IN_SLICE}
        UNION ALL
        SELECT account, workchain, newest AS lt, newest_balance AS balance, 0, 1
          FROM (${statesBy('hash')}) WHERE balance > 0
      )
      -- An account whose newest state is not confirmed yet is being written: its turn comes when it is.
      WHERE (account, workchain) NOT IN (SELECT account, workchain FROM (${statesBy('hash')}) WHERE confirmed != newest)
      GROUP BY account, workchain, lt, balance
      -- What an index that begins in mid-chain never saw can only be taken away; below a gap anything may be on its way.
      HAVING sum(net) != sum(wanted) AND NOT (lt < {start_lt:UInt64} AND (sum(net) = -1 OR {gap:Bool}))`,
  },
];
