import type { PositionRange } from '../../../engine/ranges/position-ranges.ts';
import {
  type DetectedPool,
  detectPool,
  FIRST_MESSAGES,
  type PoolMessage,
  TELLING_OPS,
} from '../../../ton/contracts/dedust-pool.ts';
import type { DatedFact, FactStores } from './fact-book.ts';
import { readAccounts } from './read-accounts.ts';
import { readDetected } from './read-detected.ts';
import { readStates, readTokens } from './read-facts.ts';

type MessageCells = [
  workchain: number,
  source: string,
  step: number,
  txLt: string,
  opcode: number,
  destination: string | null,
  body: string,
];

/**
 * Assets of dedust pools by their first logged swaps, from that step on: they do not change. Pools are looked up after
 * a failed swap. A pool without an earlier swap, in both directions for v2, stays unknown.
 */
export async function readPools(
  { chain, tokens, detections }: FactStores,
  accounts: readonly string[],
  range: PositionRange,
): Promise<DatedFact[]> {
  const { database } = chain;
  const rows = await readAccounts<MessageCells>(
    chain,
    accounts,
    'actions/pools',
    (keys) =>
      `WITH first AS
       (
           SELECT created_lt, hash8 FROM
           (SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno FROM ${database}.messages_by_source)
           WHERE ${keys} AND source_kind = 'std' AND mc_seqno <= ${range.last}
           ORDER BY account, workchain, created_lt, hash8 LIMIT ${FIRST_MESSAGES} BY account, workchain
       )
       SELECT source_workchain, hex(source), mc_seqno, toString(tx_lt), opcode,
         if(kind = 'ext_out', NULL, concat(toString(destination_workchain), ':', hex(destination))),
         if(kind = 'ext_out', base64Encode(body), '') FROM ${database}.messages
       WHERE (created_lt, hash8) IN (SELECT created_lt, hash8 FROM first) AND side = 'out'
         AND opcode IN (${TELLING_OPS.join(',')}) AND mc_seqno <= ${range.last}
       ORDER BY created_lt, hash8`,
  );
  const sent = Map.groupBy(rows, ([workchain, source]) => `${workchain}:${source}`);
  const pools = [...sent].flatMap(([account, messages]) => {
    const pool = detectPool(messages.map(toMessage));
    return pool ? [{ account, pool }] : [];
  });
  const wallets = pools.flatMap(({ pool }) => ('wallets' in pool ? pool.wallets : []));
  const named = [...new Set(wallets.filter((wallet) => wallet !== null))];
  const [facts, detected] =
    named.length === 0
      ? [[], []]
      : await Promise.all([
          readTokens(tokens, named, range, detections),
          detections ? readDetected(detections, named, range, readStates(chain, named, range)) : [],
        ]);
  return pools.flatMap(({ account, pool }) => datedPool(account, pool, [...detected, ...facts]));
}

function toMessage([, , step, txLt, opcode, destination, body]: MessageCells): PoolMessage {
  return { step, txLt: BigInt(txLt), opcode, destination, body: Buffer.from(body, 'base64') };
}

/** The pool's fact, from the step at which its own wallets are known too; none if they never are. */
function datedPool(account: string, pool: DetectedPool, facts: readonly DatedFact[]): DatedFact[] {
  const fact = (position: number, assets: readonly [string | null, string | null]): DatedFact[] => [
    { account, position, kind: 'pool', facts: { pool: { assets } } },
  ];
  if ('assets' in pool) return fact(pool.step, pool.assets);
  const [x, y] = pool.wallets.map((wallet) => findMaster(wallet, account, facts));
  return x && y ? fact(Math.max(pool.step, x.position, y.position), [x.jetton, y.jetton]) : [];
}

/** Master of a wallet of the owner, from the first step that shows it; TON from the beginning. */
function findMaster(wallet: string | null, owner: string, facts: readonly DatedFact[]) {
  if (wallet === null) return { jetton: null, position: 0 };
  const own = facts.flatMap(({ account, position, facts: one }) =>
    account === wallet && one?.jettonWallet?.owner === owner
      ? [{ jetton: one.jettonWallet.jetton, position }]
      : [],
  );
  return own.toSorted((a, b) => a.position - b.position)[0];
}
