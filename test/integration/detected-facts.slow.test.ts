import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE } from '../../pipelines/base.ts';
import { CONTRACTS } from '../../pipelines/contracts.ts';
import { ACTIONS, DETECTIONS } from '../../pipelines/projections.ts';
import { prepareStore } from '../../src/engine/versions/prepare-store.ts';
import { FactBook } from '../../src/facts/fact-book.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { readDue } from '../../src/projections/actions/stored/due-corrections.ts';
import { readExamined } from '../../src/projections/actions/stored/examined.ts';
import { factsAt } from '../../src/projections/actions/stored/facts-at.ts';
import { replaceRecorded } from '../../src/projections/records/correction-records.ts';
import { startTestShards } from '../helpers/clickhouse-shards.ts';
import { openTestStore, type TestStore } from '../helpers/test-store.ts';

/* Facts of accounts that have several outcomes, and which of their traces are due for a correction. */

const NETWORK = 'detected_test';
const hash = (digit: string) => digit.repeat(64);
const raw = (digit: string) => `0:${hash(digit)}`;
/** Accounts: one that gets another code, one whose data changes, one that lacks a cell, one that stays no token. */
const [MOVED, CHANGED, LACKING, REFUSED] = ['A', 'B', 'C', 'D'] as const;
const [OWNER, MASTER, SALE] = ['E', 'F', '5'] as const;
const [FIRST_CODE, SECOND_CODE] = ['1', '2'] as const;
const LAST = 20;

describe.each([
  ['one server', () => openTestStore(NETWORK)],
  ['two shards', () => startTestShards()],
] as const)('facts of accounts with several outcomes, on %s', { timeout: 300_000 }, (_, open) => {
  let store: Pick<TestStore, 'client' | 'stop'>;
  const in_ = (projection: string) => ({
    client: store.client,
    database: versionDatabase(NETWORK, projection, 1),
  });
  const insert = (table: string, columns: string, rows: readonly string[]) =>
    store.client.command(`INSERT INTO ${table} (${columns}) VALUES ${rows.join(', ')}`, { route: 'test' });
  const putStates = (...rows: readonly (readonly [account: string, step: number, code: string])[]) =>
    insert(
      `${in_('base').database}.account_states`,
      'mc_seqno, account, lt, code_hash',
      rows.map(
        ([account, step, code]) =>
          `(${step}, unhex('${hash(account)}'), ${step * 100}, unhex('${hash(code)}'))`,
      ),
    );
  /** Outcomes of states for the kind of wallets; `reason` empty: it is a wallet. */
  const putOutcomes = (
    ...rows: readonly (readonly [
      record: number,
      account: string,
      step: number,
      code: string,
      reason: string,
      kind?: string,
    ])[]
  ) =>
    insert(
      `${in_('detections').database}.land_token_outcomes`,
      'mc_seqno, state_seqno, account, kind, lt, code_hash, reason, has_owner, owner, has_parent, parent',
      rows.map(
        ([record, account, step, code, reason, kind = 'jetton_wallet']) =>
          `(${record}, ${step}, unhex('${hash(account)}'), '${kind}', ${step * 100}, unhex('${hash(code)}'), '${reason}', true, unhex('${hash(OWNER)}'), true, unhex('${hash(MASTER)}'))`,
      ),
    );
  const detections = () => ({ ...in_('detections'), last: LAST });

  /** Whether an account counts as a wallet after each step, read for all steps in one window. */
  async function walletsAt(account: string, steps: readonly number[]): Promise<readonly boolean[]> {
    const stores = { chain: in_('base'), tokens: in_('contracts'), detections: detections() };
    const book = new FactBook(stores, { first: steps[0]!, last: steps.at(-1)! });
    const ask = (step: number) => factsAt(book, step).of(raw(account))?.jettonWallet !== undefined;
    for (const step of steps) ask(step);
    await book.lookUp();
    return steps.map(ask);
  }

  beforeAll(async () => {
    store = await open();
    const identity = { network: NETWORK, id: 'none', epochSize: 40, lanes: 1, facts: {} };
    await prepareStore(store.client, identity, [BASE, CONTRACTS, DETECTIONS, ACTIONS]);
    await putStates(
      [MOVED, 1, FIRST_CODE],
      [MOVED, 5, SECOND_CODE],
      [MOVED, 7, SECOND_CODE],
      [MOVED, 9, SECOND_CODE],
      [CHANGED, 1, FIRST_CODE],
      [CHANGED, 3, FIRST_CODE],
      [CHANGED, 9, FIRST_CODE],
      [LACKING, 2, FIRST_CODE],
      [REFUSED, 2, FIRST_CODE],
      [REFUSED, 6, FIRST_CODE],
    );
    await putOutcomes(
      [1, MOVED, 1, FIRST_CODE, 'no wallet'],
      [1, CHANGED, 1, FIRST_CODE, 'no wallet'],
      [2, LACKING, 2, FIRST_CODE, 'not known: a cell'],
      [2, LACKING, 2, FIRST_CODE, 'no item', 'nft_item'],
      [6, REFUSED, 6, FIRST_CODE, 'no wallet'],
    );
  }, 300_000);
  afterAll(() => store?.stop());

  const tokens = [
    [4, MOVED, 100],
    [6, MOVED, 500],
    [8, MOVED, 700],
    [2, CHANGED, 100],
    [4, CHANGED, 300],
    [3, LACKING, 200],
    [3, REFUSED, 200],
  ] as const;
  const due = async (found = { detections: -1, actions: -1 }) => {
    const rows = await readDue(in_('actions'), detections(), LAST, found);
    return rows.map(({ position, account }) => `${position} ${account[0]}`);
  };

  it('wait for an outcome of the state in the step, whatever earlier states were', async () => {
    const examined = await readExamined(detections(), [MOVED, CHANGED, LACKING, REFUSED].map(raw));
    expect(examined).toEqual(
      new Map([
        [raw(MOVED), 100n],
        [raw(CHANGED), 100n],
        [raw(REFUSED), 600n],
      ]),
    );
    await insert(
      `${in_('actions').database}.land_undetected_tokens`,
      'mc_seqno, trace_id, account, lt',
      tokens.map(
        ([step, account, lt]) => `(${step}, unhex('${hash('9')}'), unhex('${hash(account)}'), ${lt})`,
      ),
    );
    expect(await due()).toEqual(['2 B', '3 D', '4 A']);
    expect(await walletsAt(MOVED, [1, 5, 7, 9])).toEqual([false, false, false, false]);
  });

  it('are those of the first later outcome under the same code', async () => {
    await putOutcomes(
      [11, MOVED, 9, SECOND_CODE, ''],
      [11, CHANGED, 9, FIRST_CODE, ''],
      [12, LACKING, 2, FIRST_CODE, ''],
      [12, REFUSED, 9, FIRST_CODE, ''],
    );
    const all = [1, 2, 4, 5, 6, 8, 9, 12];
    const expected: Record<string, readonly number[]> = {
      [MOVED]: [5, 6, 8, 9, 12],
      [CHANGED]: [4, 5, 6, 8, 9, 12],
      [LACKING]: all,
    };
    for (const [account, steps] of Object.entries(expected)) {
      const found = await walletsAt(account, all);
      expect(
        all.filter((_, i) => found[i]),
        account,
      ).toEqual(steps);
      // However steps are put together, each has the same facts.
      for (const step of all) expect(await walletsAt(account, [step])).toEqual([steps.includes(step)]);
    }
  });

  it('are corrected after an outcome of that state or a later one, and once', async () => {
    expect(await due()).toEqual(['2 B', '3 C', '3 D', '4 A', '4 B', '6 A', '8 A']);
    expect(await due({ detections: 10, actions: LAST })).toEqual(
      ['3 C', '3 D', '4 A', '4 B', '6 A', '8 A', '2 B'].sort(),
    );
    expect(await due({ detections: 12, actions: LAST })).toEqual([]);
    const keys = tokens.map(([position, account]) => ({
      ...{ position, account: hash(account), traceId: hash('9'), workchain: 0 },
    }));
    await replaceRecorded(in_('actions'), keys.slice(1), null, async () => {});
    expect(await due()).toEqual(['4 A']);
  });

  it('are corrected after an outcome of a sale, once each of its kinds is known', async () => {
    const since = { detections: 13, actions: LAST };
    await insert(
      `${in_('actions').database}.land_undetected_tokens`,
      'mc_seqno, trace_id, account, lt',
      [3, 6].map((step) => `(${step}, unhex('${hash('8')}'), unhex('${hash(SALE)}'), ${step * 100})`),
    );
    const put = (record: number, kind: string, reason: string) =>
      insert(
        `${in_('detections').database}.land_contract_outcomes`,
        'mc_seqno, state_seqno, account, kind, lt, code_hash, reason, details, has_parent, parent',
        [
          `(${record}, 5, unhex('${hash(SALE)}'), '${kind}', 500, unhex('${hash(FIRST_CODE)}'), '${reason}', '{}', true, unhex('${hash(MASTER)}'))`,
        ],
      );
    await put(14, 'nft_auction', 'no auction');
    await put(14, 'nft_sale', 'not known: a cell');
    expect(await due(since)).toEqual([]);
    await put(15, 'nft_sale', '');
    expect(await due(since)).toEqual(['3 5']);
    const stores = { chain: in_('base'), tokens: in_('contracts'), detections: detections() };
    const book = new FactBook(stores, { first: 3, last: 3 });
    factsAt(book, 3).of(raw(SALE));
    await book.lookUp();
    expect(factsAt(book, 3).of(raw(SALE))).toMatchObject({ nftSale: { nft: raw(MASTER) } });
  });
});
