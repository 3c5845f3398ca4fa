import type { AccountFacts } from '../ton/contracts/account-facts.ts';
import {
  type DetectedPool,
  detectPool,
  FIRST_MESSAGES,
  type PoolMessage,
  TELLING_OPS,
} from '../ton/contracts/dedust-pool.ts';
import type { DatedFact, FactRange, FactStores, StateSource } from './fact-stores.ts';
import { readAccounts } from './read-accounts.ts';
import { readDetected } from './read-detected.ts';
import { readTokens } from './read-tokens.ts';

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
  stores: FactStores,
  states: StateSource,
  accounts: readonly string[],
  range: FactRange,
): Promise<DatedFact[]> {
  const rows = await readAccounts<MessageCells>(stores.chain, accounts, 'actions/pools', (keys) =>
    messagesSql(stores.chain.database, keys, range),
  );
  const sent = Map.groupBy(rows, ([workchain, source]) => `${workchain}:${source}`);
  const pools = [...sent].flatMap(([account, messages]) => {
    const pool = detectPool(messages.map(toMessage));
    return pool ? [{ account, pool }] : [];
  });
  const wallets = pools.flatMap(({ pool }) => ('wallets' in pool ? pool.wallets : []));
  const named = [...new Set(wallets.filter((wallet) => wallet !== null))];
  const facts = await readWallets(stores, states, named, range);
  return pools.flatMap(({ account, pool }) => datedPool(account, pool, facts));
}

/** The first messages of pools and those that identify their assets, oldest first; only logs have bodies. */
function messagesSql(database: string, keys: string, { last }: FactRange): string {
  return `WITH first AS
       (
           SELECT created_lt, hash8 FROM
           (SELECT source AS account, source_workchain AS workchain, source_kind, created_lt, hash8, mc_seqno FROM ${database}.messages_by_source)
           WHERE ${keys} AND source_kind = 'std' AND mc_seqno <= ${last}
           ORDER BY account, workchain, created_lt, hash8 LIMIT ${FIRST_MESSAGES} BY account, workchain
       )
       SELECT source_workchain, hex(source), mc_seqno, toString(tx_lt), opcode,
         if(kind = 'ext_out', NULL, concat(toString(destination_workchain), ':', hex(destination))),
         if(kind = 'ext_out', base64Encode(body), '') FROM ${database}.messages
       WHERE (created_lt, hash8) IN (SELECT created_lt, hash8 FROM first) AND side = 'out'
         AND opcode IN (${TELLING_OPS.join(',')}) AND mc_seqno <= ${last}
       ORDER BY created_lt, hash8`;
}

/** Facts of the wallets of pools; outcomes of get methods are read for those that cells do not identify. */
async function readWallets(
  stores: FactStores,
  states: StateSource,
  wallets: readonly string[],
  range: FactRange,
): Promise<readonly DatedFact[]> {
  if (wallets.length === 0) return [];
  const known = await readTokens(stores, wallets, range);
  const identified = new Set(known.flatMap(({ account, facts }) => (facts?.jettonWallet ? [account] : [])));
  const others = wallets.filter((wallet) => !identified.has(wallet));
  if (!stores.detections || others.length === 0) return known;
  const detected = await readDetected(stores.detections, others, range, states.readStates(others, range));
  return [...detected, ...known];
}

function toMessage([, , step, txLt, opcode, destination, body]: MessageCells): PoolMessage {
  return { step, txLt: BigInt(txLt), opcode, destination, body: Buffer.from(body, 'base64') };
}

/** The pool's fact, from the step at which its own wallets are known too; before it, only the wallets. */
function datedPool(account: string, pool: DetectedPool, facts: readonly DatedFact[]): DatedFact[] {
  const fact = (position: number, own: AccountFacts): DatedFact => ({
    account,
    position,
    kind: 'pool',
    facts: own,
  });
  if ('assets' in pool) return [fact(pool.step, { pool: { assets: pool.assets } })];
  const unknown = fact(pool.step, { poolWallets: pool.wallets.filter((wallet) => wallet !== null) });
  const [x, y] = pool.wallets.map((wallet) => findMaster(wallet, account, facts));
  if (!x || !y) return [unknown];
  const known = Math.max(pool.step, x.position, y.position);
  return [unknown, fact(known, { pool: { assets: [x.jetton, y.jetton] } })];
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
