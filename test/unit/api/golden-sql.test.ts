import { describe, expect, it } from 'vitest';
import { planActivity } from '../../../src/api/entities/accounts/activity.ts';
import { planCodes } from '../../../src/api/entities/accounts/codes.ts';
import { planAt, planNewest } from '../../../src/api/entities/accounts/find.ts';
import { noneState } from '../../../src/api/entities/accounts/model.ts';
import { planAccountCells, planCellsTogether } from '../../../src/api/entities/accounts/plan-cells.ts';
import { planChanged, planRanking } from '../../../src/api/entities/accounts/ranking.ts';
import type { BlockFilter } from '../../../src/api/entities/blocks/filter.ts';
import { planBlocks } from '../../../src/api/entities/blocks/find.ts';
import { planFindBlock } from '../../../src/api/entities/blocks/find-one.ts';
import {
  planMasterchainBlocks,
  planMasterchainEnds,
  planShardState,
  planStep,
} from '../../../src/api/entities/blocks/masterchain.ts';
import { planBlockRange } from '../../../src/api/entities/blocks/range.ts';
import { planTimeWindow, planWindowBlocks } from '../../../src/api/entities/blocks/time-window.ts';
import type { MessageFilter } from '../../../src/api/entities/messages/filter.ts';
import { planByHash, planByNormalised } from '../../../src/api/entities/messages/look-up.ts';
import { messageSource } from '../../../src/api/entities/messages/paths.ts';
import { planMessageKeys } from '../../../src/api/entities/messages/plan-keys.ts';
import { planByTime } from '../../../src/api/entities/transactions/by-time.ts';
import type { TransactionFilter } from '../../../src/api/entities/transactions/filter.ts';
import { planByHash as planTransactionsByHash } from '../../../src/api/entities/transactions/look-up.ts';
import { planPagesOfAccounts } from '../../../src/api/entities/transactions/pages-of-accounts.ts';
import { planTransactions } from '../../../src/api/entities/transactions/plan.ts';
import {
  planByMessageEnds,
  planByMessageHash,
  planByMessageIndex,
} from '../../../src/api/entities/transactions/plan-by-message.ts';
import { goldenSql } from '../../helpers/golden-sql.ts';

/*
 * The text of every query of the API, one golden file a plan (golden/*.sql): a change of a plan is seen in review.
 * Column lists are abbreviated; a clause a line; parameters as their type and value.
 */

const DB = 'base';
const VISIBLE = { first: 10, last: 90 };
const PAGE = { limit: 100, offset: 0, descending: true };
const ASCENDING = { ...PAGE, descending: false };
const A = { workchain: 0, hash: 'AA'.repeat(32) };
const B = { workchain: -1, hash: 'BB'.repeat(32) };
const HASH = 'CD'.repeat(32);
const SHARD = 1n << 63n;

const file = (name: string) => `golden/${name}.sql`;

describe('queries of transactions', () => {
  it.each<[string, string, TransactionFilter, typeof PAGE]>([
    ['latest', 'logical-time', {}, PAGE],
    ['latest-wide-offset', 'logical-time', {}, { ...PAGE, offset: 5000 }],
    ['lt-range-without-account', 'logical-time', { startLt: 5n, endLt: 9n, excludeAccounts: [A] }, ASCENDING],
    ['hash', 'hash', { hashes: [HASH] }, PAGE],
    ['account', 'account', { accounts: [A], endLt: 9n }, PAGE],
    ['account-time', 'account', { accounts: [A], startUtime: 1, endUtime: 2 }, ASCENDING],
    ['account-wide-offset', 'account', { accounts: [A] }, { ...PAGE, offset: 5000 }],
    ['two-accounts', 'accounts', { accounts: [A, B] }, PAGE],
    ['two-accounts-time', 'accounts', { accounts: [A, B], startUtime: 1 }, PAGE],
    ['many-accounts', 'accounts', { accounts: Array.from({ length: 9 }, () => A) }, PAGE],
    ['account-opcode', 'account', { accounts: [A], message: { opcode: 7, direction: 'in' } }, PAGE],
    ['account-message-hash', 'account', { accounts: [A], message: { hashes: [HASH] } }, PAGE],
    ['lt', 'lt', { lt: 7n }, PAGE],
    ['account-lt', 'lt', { accounts: [A], lt: 7n }, PAGE],
    ['block', 'block', { workchain: 0, shard: SHARD, seqno: 3 }, PAGE],
    ['masterchain-block', 'masterchain-block', { mcSeqno: 50 }, PAGE],
    ['account-in-masterchain-block', 'account', { accounts: [A], mcSeqno: 50 }, PAGE],
  ])('%s', async (name, path, filter, page) => {
    const blocks = planBlockRange(DB, filter);
    const range = blocks && { startLt: '1000', endLt: '2000' };
    if (blocks) await expect(goldenSql(blocks)).toMatchFileSnapshot(file(`block-range-${name}`));
    const plan = planTransactions(DB, filter, page, { visible: VISIBLE, range });
    expect(plan.path).toBe(path);
    await expect(goldenSql(plan.statement)).toMatchFileSnapshot(file(`transactions-${name}`));
  });

  it('by time, in two steps', async () => {
    const filter = { startUtime: 5, workchain: 0 };
    const need = { ...PAGE, need: 100 };
    const blocks = planWindowBlocks(DB, filter, need, VISIBLE);
    await expect(goldenSql(blocks)).toMatchFileSnapshot(file('transactions-window-blocks'));
    await expect(goldenSql(planTimeWindow(blocks, need))).toMatchFileSnapshot(
      file('transactions-time-window'),
    );
    const window = { startUtime: 5, endUtime: 9, startLt: '1', endLt: '2', transactions: 100 };
    await expect(goldenSql(planByTime(DB, filter, PAGE, { visible: VISIBLE, window }))).toMatchFileSnapshot(
      file('transactions-by-time'),
    );
    const long = { ...window, transactions: 1_000 };
    await expect(
      goldenSql(planByTime(DB, filter, PAGE, { visible: VISIBLE, window: long })),
    ).toMatchFileSnapshot(file('transactions-by-time-long'));
  });

  it('by message', async () => {
    await expect(goldenSql(planByMessageHash(DB, { hashes: [HASH] }, PAGE, VISIBLE))).toMatchFileSnapshot(
      file('transactions-by-message-hash'),
    );
    const { transactions, count } = planByMessageIndex(DB, { opcode: 7, direction: 'in' }, PAGE, {
      visible: VISIBLE,
      candidates: 400,
    });
    await expect(goldenSql(transactions)).toMatchFileSnapshot(file('transactions-by-opcode'));
    expect(count.render(null).sql).toContain('SELECT toUInt32(count())');
    const ends = [
      { createdLt: '5', hash8: '6', side: 'in' as const },
      { createdLt: '7', hash8: '8', side: 'out' as const },
    ];
    await expect(goldenSql(planByMessageEnds(DB, ends, VISIBLE))).toMatchFileSnapshot(
      file('transactions-adjacent'),
    );
  });
});

describe('queries of blocks', () => {
  it.each<[string, string, BlockFilter]>([
    ['latest', 'time', {}],
    ['time-range', 'time', { startUtime: 1, endUtime: 2, workchain: 0, startLt: 3n }],
    ['hash', 'hash', { rootHash: HASH }],
    ['id', 'id', { workchain: 0, shard: SHARD, seqno: 3 }],
    ['masterchain-seqno', 'masterchain-seqno', { mcSeqno: 50 }],
  ])('%s', async (name, path, filter) => {
    const plan = planBlocks(DB, filter, PAGE, VISIBLE);
    expect(plan.path).toBe(path);
    await expect(goldenSql(plan.statement)).toMatchFileSnapshot(file(`blocks-${name}`));
  });

  it('of masterchain steps', async () => {
    await expect(goldenSql(planStep(DB, 50, PAGE))).toMatchFileSnapshot(file('blocks-step'));
    await expect(goldenSql(planShardState(DB, 50))).toMatchFileSnapshot(file('blocks-shard-state'));
    await expect(goldenSql(planMasterchainBlocks(DB, [10, 90]))).toMatchFileSnapshot(
      file('blocks-masterchain'),
    );
    await expect(goldenSql(planMasterchainEnds(DB, 10, 90))).toMatchFileSnapshot(
      file('blocks-masterchain-ends'),
    );
  });

  it.each([
    ['seqno', { workchain: 0, shard: SHARD, seqno: 3 }],
    ['lt', { workchain: 0, shard: 0x6000000000000000n, lt: 7n }],
    ['utime', { workchain: -1, shard: SHARD, utime: 7 }],
    ['hash', { rootHash: HASH, fileHash: HASH }],
  ])('found by %s', async (name, query) => {
    await expect(
      goldenSql(planFindBlock({ databases: { base: DB }, visible: VISIBLE }, query)),
    ).toMatchFileSnapshot(file(`find-block-${name}`));
  });
});

describe('queries of messages', () => {
  it.each<[string, string, boolean, MessageFilter]>([
    ['latest', 'all', true, {}],
    ['time', 'all', true, { startUtime: 5 }],
    ['hash', 'hash', true, { hashes: [HASH] }],
    ['body', 'body', false, { bodyHash: HASH }],
    ['source', 'source', true, { source: A }],
    ['destination', 'destination', true, { destination: A }],
    ['destination-opcode', 'destination', false, { destination: A, opcode: 7 }],
    ['opcode', 'opcode', true, { opcode: 7 }],
    ['external-in', 'all', true, { source: null }],
    ['external-out', 'all', true, { destination: null }],
  ])('%s', async (name, path, exact, filter) => {
    const source = messageSource(DB, filter, VISIBLE);
    expect([source.path, source.exact]).toEqual([path, exact]);
    await expect(goldenSql(planMessageKeys(source, filter, PAGE))).toMatchFileSnapshot(
      file(`messages-${name}`),
    );
  });
});

describe('queries of accounts', () => {
  it('states', async () => {
    await expect(goldenSql(planNewest(DB, [A]))).toMatchFileSnapshot(file('states-newest'));
    await expect(goldenSql(planAt(DB, [A, B], 50))).toMatchFileSnapshot(file('states-at'));
    await expect(goldenSql(planPagesOfAccounts(DB, [A, B]))).toMatchFileSnapshot(
      file('transactions-pages-of-accounts'),
    );
    await expect(goldenSql(planTransactionsByHash(DB, [HASH]))).toMatchFileSnapshot(
      file('transactions-by-hash'),
    );
    await expect(goldenSql(planCodes(DB, [A, B]))).toMatchFileSnapshot(file('states-codes'));
    const scope = { databases: { base: DB }, visible: VISIBLE };
    await expect(goldenSql(planAccountCells(scope, [noneState(A, '5')]))).toMatchFileSnapshot(
      file('states-cells'),
    );
    await expect(
      goldenSql(planCellsTogether(scope, [noneState(A, '5'), noneState(B, '6')])),
    ).toMatchFileSnapshot(file('states-cells-together'));
    await expect(goldenSql(planRanking(scope, 1400))).toMatchFileSnapshot(file('states-ranking'));
    await expect(goldenSql(planChanged(scope, 40))).toMatchFileSnapshot(file('states-changed'));
  });

  it('messages by hash', async () => {
    await expect(goldenSql(planByHash(DB, [HASH]))).toMatchFileSnapshot(file('messages-by-hash'));
    await expect(goldenSql(planByNormalised(DB, [HASH]))).toMatchFileSnapshot(file('messages-by-normalised'));
  });

  it('activity', async () => {
    await expect(goldenSql(planActivity('activity', [A], 50))).toMatchFileSnapshot(file('activity-account'));
    await expect(goldenSql(planActivity('activity', [A, B], 50))).toMatchFileSnapshot(
      file('activity-accounts'),
    );
  });
});
