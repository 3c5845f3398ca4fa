/** A question about the chain that one statement answers (docs/analytics.md has the tables). */
export interface Question {
  readonly id: string;
  readonly text: string;
  /**
   * The first column names a row or its time, the second is drawn. A time is a column of type Date or DateTime, in ascending
   * order.
   */
  readonly sql: string;
}

export const QUESTIONS: readonly Question[] = [
  {
    id: 'transactions',
    text: 'How many transactions are there in five minutes, and how many failed?',
    sql: `SELECT toStartOfFiveMinutes(toDateTime(now, 'UTC')) AS start, count() AS transactions, countIf(aborted) AS failed
FROM transactions
WHERE block_date >= today() - 1
GROUP BY start
ORDER BY start`,
  },
  {
    id: 'fees',
    text: 'What do users pay in fees in five minutes?',
    sql: `SELECT toStartOfFiveMinutes(toDateTime(now, 'UTC')) AS start, sum(total_fees) / 1e9 AS fees_ton, max(total_fees) / 1e9 AS largest_ton
FROM transactions
WHERE block_date >= today() - 1
GROUP BY start
ORDER BY start`,
  },
  {
    id: 'supply',
    text: 'How is the supply of TON spread over kinds of accounts?',
    sql: `SELECT if(empty(interfaces), 'no known interface', interfaces[1]) AS kind, sum(balance) / 1e9 AS ton, count() AS accounts
FROM accounts
GROUP BY kind
ORDER BY ton DESC
LIMIT 20`,
  },
  {
    id: 'accounts',
    text: 'Which accounts have most TON?',
    sql: `SELECT address, balance / 1e9 AS ton, interfaces
FROM accounts
ORDER BY balance DESC
LIMIT 25`,
  },
  {
    id: 'senders',
    text: 'Who sent most TON in the last seven days?',
    sql: `SELECT source, sum(value) / 1e9 AS ton, count() AS messages, uniqExact(destination) AS receivers
FROM messages
WHERE direction = 'in' AND block_date >= today() - 7 AND source IS NOT NULL
GROUP BY source
ORDER BY ton DESC
LIMIT 25`,
  },
  {
    id: 'actions',
    text: 'What do people do: which actions are most frequent?',
    sql: `SELECT type AS action, count() AS number, countIf(NOT success) AS failed
FROM actions
GROUP BY action
ORDER BY number DESC
LIMIT 25`,
  },
  {
    id: 'jettons',
    text: 'Which jettons are transferred most, and by how many senders?',
    sql: `SELECT jetton_master, count() AS transfers, uniqExact(source) AS senders
FROM jetton_events
WHERE type = 'transfer'
GROUP BY jetton_master
ORDER BY transfers DESC
LIMIT 25`,
  },
  {
    id: 'holders',
    text: 'How many accounts hold each asset now?',
    sql: `SELECT asset, countIf(amount > 0) AS holders
FROM latest_balances
GROUP BY asset
ORDER BY holders DESC
LIMIT 25`,
  },
  {
    id: 'opcodes',
    text: 'Which messages are sent most, by opcode?',
    sql: `SELECT concat('0x', leftPad(lower(hex(reinterpretAsUInt32(opcode))), 8, '0')) AS code, count() AS messages, sum(value) / 1e9 AS ton
FROM messages
WHERE direction = 'in' AND block_date >= today() - 7 AND opcode IS NOT NULL
GROUP BY code
ORDER BY messages DESC
LIMIT 25`,
  },
  {
    id: 'failures',
    text: 'Which accounts fail most, and with which exit code?',
    sql: `SELECT account, count() AS failed, topK(3)(compute_exit_code) AS exit_codes
FROM transactions
WHERE block_date >= today() - 7 AND aborted
GROUP BY account
ORDER BY failed DESC
LIMIT 25`,
  },
];

/** Address of a statement's answer: `/sql`, as the user who can only read. */
export function toSqlUrl(sql: string, format: 'JSONCompact' | 'CSVWithNames'): string {
  return `/sql?${new URLSearchParams({ user: 'analyst', query: `${sql}\nFORMAT ${format}` })}`;
}

/** Answer of a statement in the format JSONCompact. */
export interface SqlAnswer {
  readonly meta: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly (readonly unknown[])[];
}

/** Seconds and values of an answer whose first column is a time; null for other answers, and for fewer than two rows. */
export function toTimeSeries({ meta, data }: SqlAnswer): readonly [times: number[], values: number[]] | null {
  if (!/^(Nullable\()?Date/.test(meta[0]?.type ?? '') || data.length < 2) return null;
  const times = data.map(([time]) =>
    Date.parse(`${String(time).replace(' ', 'T')}${String(time).length > 10 ? 'Z' : ''}`),
  );
  return [times.map((time) => time / 1_000), data.map(([, value]) => Number(value))];
}

/** True if a column's type is a number. */
export function isNumeric(type: string): boolean {
  return /^(Nullable\()?(U?Int|Float|Decimal)/.test(type);
}
