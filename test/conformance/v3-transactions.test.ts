import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MessageAnswer } from '../../src/api/v3/schemas/message.ts';
import type { TransactionAnswer, TransactionsAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type ApiOfStore, type ApiParameters, openApi } from '../helpers/api-of-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithChain } from '../helpers/shared-data.ts';

/*
 * /transactions against a model: all transactions of the store, filtered and sorted in memory by the rules of the
 * contract (v3-endpoints.md 2.5). Seeded combinations of filters must give the same hashes in the same order.
 */

interface Wanted extends ApiParameters {
  readonly workchain?: number;
  readonly shard?: string;
  readonly seqno?: number;
  readonly mc_seqno?: number;
  readonly account?: readonly string[];
  readonly exclude_account?: readonly string[];
  readonly hash?: readonly string[];
  readonly lt?: string;
  readonly start_utime?: number;
  readonly end_utime?: number;
  readonly start_lt?: string;
  readonly end_lt?: string;
  readonly sort?: 'asc' | 'desc';
  readonly msg_hash?: readonly string[];
  readonly body_hash?: string;
  readonly opcode?: string;
  readonly source?: string;
  readonly destination?: string;
  readonly direction?: 'in' | 'out';
}

interface Side {
  readonly side: 'in' | 'out';
  readonly message: MessageAnswer;
}

const sidesOf = (tx: TransactionAnswer): readonly Side[] => [
  ...(tx.in_msg ? [{ side: 'in' as const, message: tx.in_msg }] : []),
  ...tx.out_msgs.map((message) => ({ side: 'out' as const, message })),
];

/** The six message filters, with the meaning of /transactionsByMessage: an opcode belongs to a received message. */
function hasMessage(tx: TransactionAnswer, wanted: Wanted): boolean {
  const { msg_hash, body_hash, opcode, source, destination } = wanted;
  const direction = wanted.direction ?? (opcode === undefined ? undefined : 'in');
  if ([msg_hash, body_hash, opcode, source, destination].every((one) => one === undefined)) return true;
  return sidesOf(tx).some(
    ({ side, message }) =>
      (!direction || side === direction) &&
      (!msg_hash || msg_hash.includes(message.hash) || msg_hash.includes(message.hash_norm ?? '')) &&
      (body_hash === undefined || message.message_content?.hash === body_hash) &&
      (opcode === undefined || message.opcode === opcode) &&
      (source === undefined || message.source === source) &&
      (destination === undefined || message.destination === destination),
  );
}

function matches(tx: TransactionAnswer, wanted: Wanted): boolean {
  const lt = BigInt(tx.lt);
  const tests: (boolean | undefined)[] = [
    wanted.workchain === undefined || tx.block_ref.workchain === wanted.workchain,
    wanted.shard === undefined || tx.block_ref.shard === wanted.shard,
    wanted.seqno === undefined || tx.block_ref.seqno === wanted.seqno,
    wanted.mc_seqno === undefined || tx.mc_block_seqno === wanted.mc_seqno,
    !wanted.account || wanted.account.includes(tx.account),
    !wanted.exclude_account?.includes(tx.account),
    !wanted.hash || wanted.hash.includes(tx.hash),
    wanted.lt === undefined || tx.lt === wanted.lt,
    wanted.start_utime === undefined || tx.now >= wanted.start_utime,
    wanted.end_utime === undefined || tx.now <= wanted.end_utime,
    wanted.start_lt === undefined || lt >= BigInt(wanted.start_lt),
    wanted.end_lt === undefined || lt <= BigInt(wanted.end_lt),
    hasMessage(tx, wanted),
  ];
  return tests.every(Boolean);
}

type Key = (tx: TransactionAnswer) => bigint | string;
const LT: Key = (tx) => BigInt(tx.lt);
const NOW: Key = (tx) => BigInt(tx.now);
/** The address as text: `-1:…` before `0:…`. */
const ACCOUNT: Key = (tx) => tx.account;
const HASH: Key = (tx) => Buffer.from(tx.hash, 'base64').toString('hex');

/** The order of v3-endpoints.md 2.5: keys with their direction (1 ascending). */
function orderOf(wanted: Wanted): readonly (readonly [Key, 1 | -1])[] {
  const dir = wanted.sort === 'asc' ? 1 : -1;
  const bounded = wanted.start_utime !== undefined || wanted.end_utime !== undefined;
  if (wanted.hash) return [[HASH, dir]];
  if (wanted.lt !== undefined)
    return [
      [LT, 1],
      [ACCOUNT, dir],
    ];
  const byLt = [
    [LT, dir],
    [ACCOUNT, 1],
  ] as const;
  const oneAccount = new Set(wanted.account).size === 1;
  if (!bounded || (wanted.mc_seqno !== undefined && !oneAccount)) return byLt;
  return [[NOW, dir], ...byLt];
}

function expected(all: readonly TransactionAnswer[], wanted: Wanted): string[] {
  const order = orderOf(wanted);
  return all
    .filter((tx) => matches(tx, wanted))
    .sort((a, b) => {
      for (const [key, dir] of order) {
        const [x, y] = [key(a), key(b)];
        if (x !== y) return x < y ? -dir : dir;
      }
      return 0;
    })
    .map((tx) => tx.hash);
}

describeWithChain(
  '/transactions of whole blocks',
  ({ data, set, states, isMainnet, transactions: counted }) => {
    let api: ApiOfStore;
    let all: TransactionAnswer[];
    const list = async (parameters: ApiParameters): Promise<TransactionsAnswer> => {
      const reply = await api.get('/api/v3/transactions', parameters);
      expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
      return reply.json as TransactionsAnswer;
    };

    beforeAll(async () => {
      api = await openApi({
        folders: [set, ...(isMainnet ? ['mainnet-single'] : [])].map((name) => `${data}/blocks/${name}`),
        states,
        isolated: true,
      });
      all = [];
      for (let offset = 0, page = 1000; page === 1000; offset += page) {
        const { transactions } = await list({ limit: 1000, offset, sort: 'asc' });
        all.push(...transactions);
        page = transactions.length;
      }
    });
    afterAll(async () => {
      expect(api.store.logged).toEqual([]);
      await api.close();
    });

    it('lists every transaction that the facts of the blocks name, once', () => {
      const facts = JSON.parse(readFileSync(`${data}/blocks/${set}/facts.json`, 'utf8')) as Record<
        string,
        { transactions: { hash: string }[] }
      >;
      const named = Object.values(facts).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
      const listed = all.map((tx) => Buffer.from(tx.hash, 'base64').toString('hex'));
      expect(new Set(listed).size).toBe(listed.length);
      const known = new Set(listed);
      expect(named.filter((hash) => !known.has(hash))).toEqual([]);
      expect(named.length).toBe(counted);
    });

    it('answers seeded combinations of filters as the model does', async () => {
      const random = new SeededRandom(20191115);
      for (let round = 0; round < 100; round++) {
        const wanted = chosen(random, all);
        const limit = random.pick([1, 3, 10, 100]);
        const offset = random.pick([0, 0, 0, 1, 5]);
        const answer = await list({ ...wanted, limit, offset });
        const hashes = answer.transactions.map((tx) => tx.hash);
        expect({ round, wanted, hashes }).toEqual({
          round,
          wanted,
          hashes: expected(all, wanted).slice(offset, offset + limit),
        });
      }
    });

    it('answers filters by message, single and combined, as the model does', async () => {
      const random = new SeededRandom(20260724);
      let found = 0;
      for (let round = 0; round < 80; round++) {
        const wanted = { ...(random.oneIn(2) ? chosen(random, all) : {}), ...chosenMessage(random, all) };
        const answer = await list({ ...wanted, limit: 10 });
        const hashes = answer.transactions.map((tx) => tx.hash);
        expect({ round, wanted, hashes }).toEqual({
          round,
          wanted,
          hashes: expected(all, wanted).slice(0, 10),
        });
        found += hashes.length;
      }
      expect(found).toBeGreaterThan(100);
    });

    it('refuses a direction of no message', async () => {
      const reply = await api.get('/api/v3/transactions', { direction: 'in', source: all[0]!.account });
      expect([reply.status, reply.json]).toEqual([
        422,
        { code: 422, error: 'direction can be specified only with msg_hash or opcode' },
      ]);
    });

    it('skips far with the same order', async () => {
      const answer = await list({ limit: 20, offset: 1010 });
      expect(answer.transactions.map((tx) => tx.hash)).toEqual(expected(all, {}).slice(1010, 1030));
    });

    /** The list of a route, in pages that follow each other. */
    const walk = async (route: string, parameters: ApiParameters, limit: number): Promise<string[]> => {
      const hashes: string[] = [];
      for (let isMore = true; isMore; ) {
        const reply = await api.get(route, { ...parameters, limit, offset: hashes.length });
        expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
        const page = (reply.json as TransactionsAnswer).transactions.map((tx) => tx.hash);
        hashes.push(...page);
        isMore = page.length === limit;
      }
      return hashes;
    };

    it('keeps the order of ties from page to page, of every list', async () => {
      const tied = [...Map.groupBy(all, (tx) => tx.lt).values()].filter((some) => some.length > 1);
      expect(tied.length).toBeGreaterThan(50);
      const [some] = tied.toSorted((a, b) => b.length - a.length);
      const { mc_block_seqno: mcSeqno, in_msg: message } = some!.find((tx) => tx.in_msg?.opcode)!;
      const opcode = message!.opcode!;
      for (const sort of ['asc', 'desc'] as const) {
        const accounts = { account: some!.map((tx) => tx.account), sort };
        const lists: readonly (readonly [string, ApiParameters, Wanted])[] = [
          ['transactions', { sort }, { sort }],
          ['transactions', { start_utime: 1, sort }, { start_utime: 1, sort }],
          ['transactions', accounts, accounts],
          ['transactions', { mc_seqno: mcSeqno, sort }, { mc_seqno: mcSeqno, sort }],
          ['transactionsByMasterchainBlock', { seqno: mcSeqno, sort }, { mc_seqno: mcSeqno, sort }],
          ['transactionsByMessage', { opcode, direction: 'in', sort }, { opcode, direction: 'in', sort }],
        ];
        for (const [route, parameters, wanted] of lists) {
          const hashes = await walk(`/api/v3/${route}`, parameters, 37);
          expect({ route, parameters, hashes }).toEqual({ route, parameters, hashes: expected(all, wanted) });
        }
      }
    });

    it('reads many accounts in one request', async () => {
      const accounts = [...new Set(all.map((tx) => tx.account))].slice(0, 40);
      for (const sort of ['asc', 'desc'] as const) {
        const wanted: Wanted = { account: accounts, sort };
        const answer = await list({ ...wanted, limit: 200 });
        expect(answer.transactions.map((tx) => tx.hash)).toEqual(expected(all, wanted).slice(0, 200));
      }
    });

    it('shows no row above or below the visible range', async () => {
      api.store.show({ first: 20, last: 30 });
      try {
        const within = all.filter((tx) => tx.mc_block_seqno >= 20 && tx.mc_block_seqno <= 30);
        const answer = await list({ limit: 1000 });
        expect(answer.transactions.map((tx) => tx.hash)).toEqual(expected(within, {}));
        const above = all.find((tx) => tx.mc_block_seqno > 30) as TransactionAnswer;
        expect((await list({ hash: above.hash })).transactions).toEqual([]);
        expect((await list({ account: above.account })).transactions.map((tx) => tx.hash)).toEqual(
          expected(within, { account: [above.account] }).slice(0, 10),
        );
      } finally {
        api.store.show({ first: 1, last: 58_508_098 });
      }
    });

    it("has the states that the account's previous and next transactions have", () => {
      const byAccount = Map.groupBy(all, (tx) => tx.account);
      let known = 0;
      for (const chain of byAccount.values()) {
        for (const [index, tx] of chain.entries()) {
          const next = chain[index + 1];
          if (!next || next.prev_trans_hash !== tx.hash) continue;
          expect(next.account_state_before).toEqual(tx.account_state_after);
          if (tx.account_state_after.balance !== null) known++;
        }
      }
      expect(known).toBeGreaterThan(100);
    });

    it('has the statuses of states that the transaction has', () => {
      for (const tx of all) {
        for (const [state, status] of [
          [tx.account_state_before, tx.orig_status],
          [tx.account_state_after, tx.end_status],
        ] as const) {
          if (state.account_status !== null) expect(state.account_status).toBe(status);
        }
      }
    });
  },
);

function chosen(random: SeededRandom, all: readonly TransactionAnswer[]): Wanted {
  const one = () => random.pick(all);
  const wanted: Record<string, unknown> = {};
  if (random.oneIn(2)) wanted.sort = random.pick(['asc', 'desc']);
  if (random.oneIn(5)) wanted.workchain = random.pick([-1, 0]);
  if (random.oneIn(8)) wanted.shard = one().block_ref.shard;
  if (random.oneIn(6)) Object.assign(wanted, one().block_ref);
  if (random.oneIn(12)) wanted.seqno = one().block_ref.seqno;
  if (random.oneIn(6)) wanted.mc_seqno = one().mc_block_seqno;
  if (random.oneIn(3)) wanted.account = [one().account];
  if (random.oneIn(8)) wanted.account = [one().account, one().account, all[0]?.account, all[0]?.account];
  if (random.oneIn(6)) wanted.exclude_account = [one().account];
  if (random.oneIn(10)) wanted.hash = [one().hash, one().hash, one().hash];
  if (random.oneIn(12)) wanted.lt = one().lt;
  if (random.oneIn(4)) wanted.start_utime = one().now;
  if (random.oneIn(4)) wanted.end_utime = one().now;
  if (random.oneIn(8)) wanted.start_lt = one().lt;
  if (random.oneIn(8)) wanted.end_lt = one().lt;
  return wanted as Wanted;
}

/** Filters by a message that is there, one or several of it. */
function chosenMessage(random: SeededRandom, all: readonly TransactionAnswer[]): Wanted {
  const messages = all.flatMap(sidesOf);
  const { message } = random.pick(messages);
  const { opcode, source, destination } = message;
  const wanted: Record<string, unknown> = {};
  if (random.oneIn(3))
    wanted.msg_hash = [message.hash, message.hash_norm ?? random.pick(messages).message.hash];
  if (random.oneIn(3) && message.message_content?.hash) wanted.body_hash = message.message_content.hash;
  if (random.oneIn(3) && opcode) wanted.opcode = opcode;
  if (random.oneIn(3) && source) wanted.source = source;
  if (random.oneIn(2) && destination) wanted.destination = destination;
  if ((wanted.msg_hash || wanted.opcode) && random.oneIn(3)) wanted.direction = random.pick(['in', 'out']);
  return wanted as Wanted;
}
