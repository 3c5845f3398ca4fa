import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessagesAnswer } from '../../src/api/v3/schemas/message.ts';
import type { TransactionAnswer, TransactionsAnswer } from '../../src/api/v3/schemas/transaction.ts';
import { type ApiOfStore, type ApiParameters, openApi } from '../helpers/api-of-store.ts';
import { SeededRandom } from '../helpers/seeded-random.ts';
import { describeWithChain, describeWithData } from '../helpers/shared-data.ts';
import { chosen, expected, type Known, matches, messagesOf, type Wanted } from './v3-message-model.ts';

/*
 * /messages, /transactionsByMessage and /adjacentTransactions against a model: the messages of all transactions of
 * the store, filtered and sorted in memory by the rules of the contract (v3-endpoints.md 2.7, 2.8, 2.10).
 */

interface Chosen {
  readonly folders: readonly string[];
  readonly isolated: boolean;
  /** Whether there are externals of both kinds in it. */
  readonly externals: boolean;
}

/** Unrelated blocks of several years and networks; and a chain without a gap, whose lists by time use its blocks. */
describeWithData('messages of unrelated blocks', (data) =>
  describeMessages({
    folders: ['mainnet-single', 'private-b'].map((set) => `${data}/blocks/${set}`),
    isolated: true,
    externals: true,
  }),
);
describeWithChain('messages of a chain', ({ data, set }) =>
  describeMessages({ folders: [`${data}/blocks/${set}`], isolated: false, externals: false }),
);

function describeMessages({ folders, isolated, externals }: Chosen): void {
  let api: ApiOfStore;
  let transactions: TransactionAnswer[];
  let all: Known[];
  const fetched = async <T>(path: string, parameters: ApiParameters): Promise<T> => {
    const reply = await api.get(path, parameters);
    expect([reply.status, reply.status === 200 ? '' : reply.text]).toEqual([200, '']);
    return reply.json as T;
  };
  const list = (parameters: ApiParameters) => fetched<MessagesAnswer>('/api/v3/messages', parameters);

  beforeAll(async () => {
    api = await openApi({ folders, isolated });
    transactions = [];
    for (let offset = 0, page = 1000; page === 1000; offset += page) {
      const answer = await fetched<TransactionsAnswer>('/api/v3/transactions', { limit: 1000, offset });
      transactions.push(...answer.transactions);
      page = answer.transactions.length;
    }
    all = messagesOf(transactions);
  });
  afterAll(async () => {
    expect(api.store.logged).toEqual([]);
    await api.close();
  });

  describe('/messages', () => {
    it.runIf(externals)('contains external messages of both kinds, and pairs of sides', () => {
      const lone = (known: Known) => known.message.source === null;
      expect(all.filter(lone).length).toBeGreaterThan(50);
      expect(all.filter((known) => known.message.destination === null).length).toBeGreaterThan(3);
      expect(all.filter((known) => known.in && known.out).length).toBeGreaterThan(100);
    });

    it('has both ends, and otherwise the values of the transaction', async () => {
      const random = new SeededRandom(5);
      for (let round = 0; round < 20; round++) {
        const known = random.pick(all);
        const { messages } = await list({ msg_hash: known.message.hash });
        expect(messages).toEqual([
          {
            ...known.message,
            ...(known.in ? { in_msg_tx_hash: known.in.hash } : {}),
            ...(known.out ? { out_msg_tx_hash: known.out.hash } : {}),
          },
        ]);
      }
    });

    it.runIf(externals)(
      'finds external-in messages by their normalised hash, and takes `hash` for msg_hash',
      async () => {
        const normalised = all.filter(({ message }) => message.hash_norm !== undefined);
        expect(normalised.length).toBeGreaterThan(10);
        for (const { message } of normalised.slice(0, 5)) {
          const { messages } = await list({ hash: message.hash_norm as string });
          expect(messages.map(({ hash }) => hash)).toEqual([message.hash]);
        }
      },
    );

    it('answers seeded combinations of filters as the model does', async () => {
      const random = new SeededRandom(20250904);
      for (let round = 0; round < (externals ? 80 : 60); round++) {
        const wanted = chosen(random, all);
        const limit = random.pick([1, 5, 30, 300]);
        const offset = random.pick([0, 0, 0, 2, 20]);
        const answer = await list({ ...wanted, limit, offset });
        const hashes = answer.messages.map(({ hash }) => hash);
        const model = expected(all, wanted).slice(offset, offset + limit);
        expect({ round, wanted, hashes }).toEqual({ round, wanted, hashes: model });
      }
    });

    it('names only the end asked for', async () => {
      const known = all.find((one) => one.in && one.out) as Known;
      const { messages } = await list({ msg_hash: known.message.hash, direction: 'in' });
      expect(messages[0]?.in_msg_tx_hash).toBe(known.in?.hash);
      expect(messages[0]).not.toHaveProperty('out_msg_tx_hash');
    });
  });

  describe('/transactionsByMessage', () => {
    const path = '/api/v3/transactionsByMessage';
    const ends = (wanted: Wanted): string[] => {
      const dir = wanted.sort === 'asc' ? 1 : -1;
      const side = wanted.opcode === undefined ? wanted.direction : (wanted.direction ?? 'in');
      const chosenEnds = all
        .filter((known) => matches(known, { ...wanted, ...(side ? { direction: side } : {}) }))
        .flatMap((known) => (side ? [known[side]] : [known.in, known.out]))
        .filter((tx) => tx !== undefined);
      return [...new Map(chosenEnds.map((tx) => [tx.hash, tx])).values()]
        .sort((a, b) => {
          const [x, y] = [BigInt(a.lt), BigInt(b.lt)];
          if (x !== y) return x < y ? -dir : dir;
          return a.account < b.account ? -1 : 1;
        })
        .map(({ hash }) => hash);
    };

    it('answers seeded combinations of filters as the model does', async () => {
      const random = new SeededRandom(77);
      for (let round = 0; round < 40; round++) {
        const one = random.pick(all);
        const wanted: Record<string, unknown> = random.oneIn(3)
          ? { msg_hash: [one.message.hash, random.pick(all).message.hash] }
          : random.oneIn(2)
            ? { body_hash: one.body }
            : {
                opcode:
                  (all.find((k) => k.message.opcode !== null && random.oneIn(9)) ?? all[0])?.message.opcode ??
                  '0x00000000',
              };
        if (random.oneIn(3)) wanted.direction = random.pick(['in', 'out']);
        if (random.oneIn(3)) wanted.sort = random.pick(['asc', 'desc']);
        if (random.oneIn(4) && one.message.source) wanted.source = one.message.source;
        if (random.oneIn(4) && one.message.destination) wanted.destination = one.message.destination;
        const limit = random.pick([2, 10, 500]);
        const answer = await fetched<TransactionsAnswer>(path, { ...(wanted as Wanted), limit });
        expect({ round, wanted, hashes: answer.transactions.map(({ hash }) => hash) }).toEqual({
          round,
          wanted,
          hashes: ends(wanted as Wanted).slice(0, limit),
        });
      }
    });

    it('wants something to look for', async () => {
      const reply = await api.get(path, { direction: 'in' });
      expect([reply.status, reply.json]).toEqual([
        422,
        { code: 422, error: 'at least one of msg_hash, body_hash, opcode should be specified' },
      ]);
    });
  });

  describe('/adjacentTransactions', () => {
    const path = '/api/v3/adjacentTransactions';

    it('gives the parent and the children', async () => {
      const random = new SeededRandom(3);
      const linked = transactions.filter((tx) => neighbours(tx, 'both').length > 0);
      expect(linked.length).toBeGreaterThan(50);
      for (let round = 0; round < 25; round++) {
        const tx = random.pick(linked);
        const direction = random.pick(['in', 'out', undefined] as const);
        const wanted = neighbours(tx, direction ?? 'both');
        const reply = await api.get(path, { hash: tx.hash, direction });
        if (wanted.length === 0) {
          expect([reply.status, reply.json]).toEqual([
            404,
            { code: 404, error: 'adjacent transactions not found' },
          ]);
        } else {
          const { transactions: found } = reply.json as TransactionsAnswer;
          expect(new Set(found.map(({ hash }) => hash))).toEqual(new Set(wanted));
          const lts = found.map(({ lt }) => BigInt(lt));
          expect(lts).toEqual([...lts].sort((a, b) => (a < b ? -1 : 1)));
        }
      }
    });

    function neighbours(tx: TransactionAnswer, direction: 'in' | 'out' | 'both'): string[] {
      const byHash = new Map(all.map((known) => [known.message.hash, known]));
      const parent = direction === 'out' || !tx.in_msg ? [] : [byHash.get(tx.in_msg.hash)?.out];
      const children = direction === 'in' ? [] : tx.out_msgs.map(({ hash }) => byHash.get(hash)?.in);
      return [...parent, ...children].filter((one) => one !== undefined).map(({ hash }) => hash);
    }
  });
}
