/** Elections, cycles and complaints from the elector's data and key blocks, made by hand with the published builder. */
import { Address, type Builder, beginCell, type Cell, Dictionary, storeAccount } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildServer } from '../../../../src/api/serve-stage.ts';
import { type IndexedStore, openIndexedStore } from '../../../helpers/indexed-store.ts';

type Fields = Record<string, unknown>;

const START = 1_700_000_000;
const DAY = 65_536;
const bytes = (byte: number) => Buffer.alloc(32, byte);
const hex = (byte: number) => byte.toString(16).padStart(2, '0').toUpperCase().repeat(32);
const raw = (byte: number) => `-1:${hex(byte)}`;

/** A dictionary (`HashmapE`) with inline values. */
function dictionary(bits: 16 | 32 | 256, entries: readonly (readonly [number | Buffer, Builder])[]) {
  const values = {
    serialize: (value: Builder, to: Builder) => void to.storeBuilder(value),
    parse: () => beginCell(),
  };
  if (bits === 256) {
    const found = Dictionary.empty<Buffer, Builder>(Dictionary.Keys.Buffer(32), values);
    for (const [key, value] of entries) found.set(key as Buffer, value);
    return beginCell().storeDict(found);
  }
  const found = Dictionary.empty<number, Builder>(Dictionary.Keys.Uint(bits), values);
  for (const [key, value] of entries) found.set(key as number, value);
  return beginCell().storeDict(found);
}

/** Validators by number: key n, ADNL 0x80 + n, account 0x40 + n. */
function setCell(since: number, members: readonly number[]): Cell {
  const list = members.map((n, index) => {
    const member = beginCell().storeUint(0x73, 8).storeUint(0x8e81278a, 32).storeBuffer(bytes(n));
    return [index, member.storeUint(100 * n, 64).storeBuffer(bytes(0x80 + n))] as const;
  });
  return beginCell()
    .storeUint(0x12, 8)
    .storeUint(since, 32)
    .storeUint(since + DAY, 32)
    .storeUint(members.length, 16)
    .storeUint(1, 16)
    .storeUint(100 * members.reduce((sum, n) => sum + n, 0), 64)
    .storeBuilder(dictionary(16, list))
    .endCell();
}

const SETS = [0, 1, 2].map((i) => setCell(START + i * DAY, [1, 2, 3]));
const STRANGER = setCell(START - DAY, [7]);

const COMPLAINTS = [
  { hash: bytes(0xc1), accused: 1, at: START + DAY + 10, voters: [], vset: bytes(0), left: 0n },
  // The total weight is 600: 400 are needed, 500 have voted.
  { hash: bytes(0xc2), accused: 2, at: START + DAY + 20, voters: [1, 2], vset: SETS[1]!.hash(), left: -100n },
];

function complaints(): ReturnType<typeof dictionary> {
  return dictionary(
    256,
    COMPLAINTS.map(({ hash, accused, at, voters, vset, left }) => {
      const cell = beginCell()
        .storeUint(0xbc, 8)
        .storeBuffer(bytes(accused))
        .storeRef(beginCell().storeUint(accused, 8).endCell())
        .storeUint(at, 32)
        .storeUint(3, 8)
        .storeBuffer(bytes(0x77))
        .storeCoins(5n)
        .storeCoins(101n)
        .storeUint(1_000, 32)
        .endCell();
      const votes = voters.map((index) => [index, beginCell().storeUint(at + 1, 32)] as const);
      const status = beginCell().storeUint(0x2d, 8).storeRef(cell).storeBuilder(dictionary(16, votes));
      return [hash, status.storeBuffer(vset).storeInt(left, 64)] as const;
    }),
  );
}

function past(i: number) {
  const frozen = [1, 2, 3].map(
    (n) =>
      [
        bytes(n),
        beginCell()
          .storeBuffer(bytes(0x40 + n))
          .storeUint(100 * n, 64)
          .storeCoins(1_000n * BigInt(n))
          .storeBit(false),
      ] as const,
  );
  return round(START + i * DAY, SETS[i]!, frozen, i === 0 ? complaints() : dictionary(256, []));
}

/** A past election by its id: the set that it gave, and the stakes in it. */
function round(
  id: number,
  set: Cell,
  frozen: readonly (readonly [Buffer, Builder])[],
  about = dictionary(256, []),
): readonly [number, Builder] {
  const value = beginCell()
    .storeUint(id + 2 * DAY, 32)
    .storeUint(DAY, 32)
    .storeBuffer(set.hash())
    .storeBuilder(dictionary(256, frozen))
    .storeCoins(6_000n)
    .storeCoins(9n);
  return [id, value.storeBuilder(about)];
}

/** The newest election that an elector keeps, in which the first `count` validators take part. */
interface Open {
  readonly id: number;
  readonly count: number;
  readonly failed: boolean;
  readonly finished: boolean;
}

function electorData({ id, count, failed, finished }: Open, rounds: readonly (readonly [number, Builder])[]) {
  const members = [1, 2, 3, 4].slice(0, count).map((n) => {
    const member = beginCell()
      .storeCoins(1_500n * BigInt(n))
      .storeUint(START, 32)
      .storeUint(0x30000, 32);
    return [bytes(n), member.storeBuffer(bytes(0x40 + n)).storeBuffer(bytes(0x80 + n))] as const;
  });
  const election = beginCell()
    .storeUint(id, 32)
    .storeUint(id - 100, 32)
    .storeCoins(10n)
    .storeCoins(1_500n * BigInt((count * (count + 1)) / 2))
    .storeBuilder(dictionary(256, members))
    .storeBit(failed)
    .storeBit(finished)
    .endCell();
  return beginCell()
    .storeMaybeRef(election)
    .storeBit(false)
    .storeBuilder(dictionary(32, rounds))
    .storeCoins(1n)
    .storeUint(0, 32)
    .storeBuffer(bytes(0))
    .endCell();
}

function electorAccount(byte: number, data: Cell): Uint8Array {
  const account = beginCell().storeBit(true);
  storeAccount({
    addr: new Address(-1, bytes(byte)),
    storageStats: { used: { cells: 1n, bits: 1n }, lastPaid: START, duePayment: null, storageExtra: null },
    storage: {
      lastTransLt: 7n,
      balance: { coins: 1n },
      state: { type: 'active', state: { code: beginCell().storeUint(1, 8).endCell(), data } },
    },
  })(account);
  return account.endCell().toBoc();
}

/** The elector that key blocks name at first, and one that a later one names. */
const ELECTOR = electorAccount(
  0x33,
  electorData({ id: START + 2 * DAY, count: 4, failed: false, finished: true }, [past(0), past(1), past(2)]),
);
/** Its newest election had too little stake; the one before was postponed for five days. */
const POSTPONED = START + 3 * DAY;
const LATE = setCell(POSTPONED + 5 * 86_400, [1, 2]);
const FAILED = POSTPONED + 7 * 86_400;
const NEXT_ELECTOR = electorAccount(
  0x34,
  electorData({ id: FAILED, count: 2, failed: true, finished: false }, [round(POSTPONED, LATE, [])]),
);

const LIMITS: readonly (readonly [number, Cell])[] = [
  [
    15,
    beginCell().storeUint(DAY, 32).storeUint(32_768, 32).storeUint(8_192, 32).storeUint(32_769, 32).endCell(),
  ],
  [16, beginCell().storeUint(400, 16).storeUint(100, 16).storeUint(75, 16).endCell()],
  [17, beginCell().storeCoins(300n).storeCoins(10_000n).storeCoins(75_000n).storeUint(196_608, 32).endCell()],
];

describe('validators of a store', () => {
  let store: IndexedStore;
  let app: FastifyInstance;
  beforeAll(async () => {
    store = await openIndexedStore({
      folders: [],
      accounts: [ELECTOR, NEXT_ELECTOR],
      visible: { first: 0, last: 30 },
    });
    const rows: [seqno: number, param: number, cell: Cell][] = [];
    for (const [seqno, shown] of [
      [5, { 32: STRANGER, 34: SETS[0]! }],
      [10, { 32: STRANGER, 34: SETS[0]!, 36: SETS[1]! }],
      [15, { 32: SETS[0]!, 34: SETS[1]! }],
      [20, { 32: SETS[0]!, 34: SETS[1]!, 36: SETS[2]! }],
      [35, { 1: beginCell().storeBuffer(bytes(0x34)).endCell(), 34: SETS[2]!, 36: LATE }],
    ] as const) {
      for (const [param, cell] of Object.entries(shown)) rows.push([seqno, Number(param), cell]);
      for (const [param, cell] of LIMITS) rows.push([seqno, param, cell]);
    }
    const values = rows.map(([seqno, param, cell]) => {
      const [hash, bag] = [cell.hash().toString('base64'), cell.toBoc().toString('base64')];
      return `(${seqno}, ${param}, base64Decode('${hash}'), base64Decode('${bag}'))`;
    });
    await store.client.command(
      `INSERT INTO ${store.database}.land_config_params (mc_seqno, param, hash, boc) VALUES ${values.join()}`,
      { route: 'test' },
    );
    app = await buildServer(store.context);
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await store?.close();
    expect(store?.logged).toEqual([]);
  });

  async function list(path: string): Promise<Fields[]> {
    const reply = await app.inject(`/api/v3/validators/${path}`);
    expect([path, reply.statusCode, reply.statusCode === 200 ? '' : reply.body]).toEqual([path, 200, '']);
    const [name = ''] = path.split('?');
    return (reply.json() as Record<string, Fields[]>)[name]!;
  }
  const starts = async (query: string) =>
    (await list(`cycles?${query}`)).map(({ cycle_start: start }) => start);

  it("shows cycles, with the elector's data and the limits of their key block", async () => {
    const days = [2, 1, 0].map((i) => START + i * DAY);
    const found = await list('cycles');
    expect(found.map(({ cycle_start: start }) => start)).toEqual([...days, START - DAY]);
    expect(found[0]).toEqual({
      cycle_start: START + 2 * DAY,
      cycle_end: START + 3 * DAY,
      election_id: START + 2 * DAY,
      total: 3,
      main: 1,
      total_weight: '600',
      total_stake: '6000',
      min_stake: '1000',
      max_stake: '3000',
      validators_elected_for: DAY,
      elections_start_before: 32_768,
      elections_end_before: 8_192,
      stake_held_for: 32_769,
      max_validators: 400,
      max_main_validators: 100,
      min_validators: 75,
      min_stake_limit: '300',
      max_stake_limit: '10000',
      min_total_stake: '75000',
      max_stake_factor: 196_608,
    });
    // The elector has nothing of this set: its fields are omitted.
    for (const field of ['election_id', 'total_stake', 'min_stake', 'max_stake'])
      expect(found[3]).not.toHaveProperty(field);
    for (const [query, expected] of [
      ['sort=asc', [START - DAY, ...days.toReversed()]],
      ['limit=2&offset=1', days.slice(1)],
      [`cycle_start=${START}`, [START]],
      [`election_id=${START + DAY}`, [START + DAY]],
      [`start_utime=${START}&end_utime=${START + DAY}`, [START + DAY, START]],
      [`validator_pubkey=${hex(7)}`, [START - DAY]],
      [`adnl_address=${hex(0x81)}&limit=1`, [START + 2 * DAY]],
      [`stake_holder_address=${raw(0x43)}`, days],
      [`stake_holder_address=${raw(0x47)}`, []],
    ] as const)
      expect([query, await starts(query)]).toEqual([query, expected]);
  });

  it('tells of the validators of a cycle', async () => {
    const [newest] = await list(`cycles?return_validators=true&limit=1&validator_pubkey=${hex(2)}`);
    expect(newest!.validators).toEqual([
      {
        validator_index: 1,
        validator_pubkey: hex(2),
        adnl_addr: hex(0x82),
        weight: '200',
        stake_holder_address: raw(0x42),
        stake: '2000',
        max_factor: 0x30000,
        complaints: [],
      },
    ]);
    const [first] = await list(`cycles?return_validators=true&cycle_start=${START}`);
    const members = first!.validators as Fields[];
    expect(members.map(({ complaints: about }) => (about as unknown[]).length)).toEqual([1, 1, 0]);
    expect(members[0]).not.toHaveProperty('max_factor');
  });

  it('tells of elections and who takes part', async () => {
    const plain = {
      election_id: START + 2 * DAY,
      elect_close: START + 2 * DAY - 100,
      min_stake: '10',
      total_stake: '15000',
      total_participants: 4,
      failed: false,
      finished: true,
    };
    expect(await list('elections')).toEqual([plain]);
    const [found] = await list('elections?return_participants=true');
    const participants = found!.participants as Fields[];
    expect(participants.map((one) => [one.stake, one.validator_index])).toEqual([
      ['6000', undefined],
      ['4500', 2],
      ['3000', 1],
      ['1500', 0],
    ]);
    expect(participants[0]).toEqual({
      validator_pubkey: hex(4),
      adnl_addr: hex(0x84),
      stake: '6000',
      max_factor: 0x30000,
      stake_holder_address: raw(0x44),
    });
    for (const [query, count] of [
      ['finished=true', 1],
      ['finished=false', 0],
      [`election_id=${START + 2 * DAY}`, 1],
      [`election_id=${START + 1}`, 0],
      [`end_utime=${START + 2 * DAY - 1}`, 0],
      [`validator_pubkey=${hex(4)}&sort=asc`, 1],
      // One and the same must have both.
      [`validator_pubkey=${hex(4)}&adnl_address=${hex(0x81)}`, 0],
      [`stake_holder_address=${raw(0x45)}`, 0],
    ] as const)
      expect([query, (await list(`elections?${query}`)).length]).toEqual([query, count]);
  });

  it('tells of an election that gave no set, and of one that was postponed for days', async () => {
    store.show({ first: 0, last: 35 });
    onTestFinished(() => store.show({ first: 0, last: 30 }));
    const [found, ...others] = await list('elections?return_participants=true');
    // An election of an earlier elector is returned unchanged.
    expect(others.map(({ election_id: id }) => id)).toEqual([START + 2 * DAY]);
    expect(found).toEqual({
      election_id: FAILED,
      elect_close: FAILED - 100,
      min_stake: '10',
      total_stake: '4500',
      total_participants: 2,
      failed: true,
      finished: false,
      participants: [2, 1].map((n) => ({
        validator_pubkey: hex(n),
        adnl_addr: hex(0x80 + n),
        stake: `${1_500 * n}`,
        max_factor: 0x30000,
        stake_holder_address: raw(0x40 + n),
      })),
    });
    for (const [query, count] of [
      ['finished=true', 1],
      ['finished=false&sort=asc', 1],
      [`election_id=${FAILED}`, 1],
      [`validator_pubkey=${hex(2)}&finished=false`, 1],
      [`validator_pubkey=${hex(3)}&finished=false`, 0],
      [`start_utime=${FAILED}&end_utime=${FAILED}`, 1],
      [`start_utime=${FAILED + 1}`, 0],
      ['offset=2', 0],
    ] as const)
      expect([query, (await list(`elections?${query}`)).length]).toEqual([query, count]);
    // Its set began long after the time that is its name.
    for (const sort of ['asc', 'desc'])
      expect(await starts(`election_id=${POSTPONED}&sort=${sort}`)).toEqual([POSTPONED + 5 * 86_400]);
    expect(await starts(`election_id=${POSTPONED + 1}`)).toEqual([]);
  });

  it.each([
    ['cycles', 'cycle_start', 4],
    ['elections', 'election_id', 1],
    ['complaints', 'complaint_hash', 2],
  ])('gives all %s page by page, by cursors', async (path, id, count) => {
    for (const sort of ['desc', 'asc']) {
      const whole = (await list(`${path}?sort=${sort}&limit=1000`)).map((row) => row[id]);
      expect(whole).toHaveLength(count);
      const found: unknown[] = [];
      let cursor: string | undefined = '';
      for (let pages = 0; cursor !== undefined && pages <= count; pages++) {
        const url: string = `/api/v3/validators/${path}?sort=${sort}&limit=1&cursor=${cursor}`;
        const answer = (await app.inject(url)).json();
        found.push(...answer[path].map((row: Fields) => row[id]));
        cursor = answer.next_cursor;
        if (cursor === undefined) continue;
        const turned = await app.inject(
          `/api/v3/validators/${path}?sort=${sort === 'asc' ? 'desc' : 'asc'}&cursor=${cursor}`,
        );
        expect([turned.statusCode, turned.json().error]).toEqual([
          422,
          expect.stringMatching(/^cursor was given for other parameters/),
        ]);
      }
      expect(found).toEqual(whole);
      expect(cursor).toBeUndefined();
    }
    const foreign = await app.inject(`/api/v3/validators/${path}?cursor=AAAA`);
    expect(foreign.json()).toEqual({ code: 422, error: 'cursor is not one that this list gave' });
  });

  it('tells of complaints and their votes', async () => {
    const found = await list('complaints');
    expect(found.map((one) => one.complaint_hash)).toEqual(
      COMPLAINTS.map(({ hash }) => hash.toString('base64')).reverse(),
    );
    expect(found[0]).toEqual({
      election_id: START,
      cycle_start: START,
      complaint_hash: bytes(0xc2).toString('base64'),
      validator_pubkey: hex(2),
      adnl_addr: hex(0x82),
      stake_holder_address: raw(0x42),
      description_boc: beginCell().storeUint(2, 8).endCell().toBoc().toString('base64'),
      created_at: START + DAY + 20,
      severity: 3,
      reward_address: raw(0x77),
      paid: '5',
      suggested_fine: '101',
      suggested_fine_part: 1_000,
      voted_validators: [
        { validator_index: 1, validator_pubkey: hex(2), adnl_addr: hex(0x82), weight: '200' },
        { validator_index: 2, validator_pubkey: hex(3), adnl_addr: hex(0x83), weight: '300' },
      ],
      vset_id: SETS[1]!.hash().toString('base64'),
      weight_remaining: '-100',
      approved_percent: 83.333,
      is_passed: true,
    });
    expect(found[1]).toMatchObject({
      voted_validators: [],
      weight_remaining: '400',
      approved_percent: 0,
      is_passed: false,
    });
    for (const [query, count] of [
      [`cycle_start=${START}`, 2],
      [`cycle_start=${START + DAY}`, 0],
      [`election_id=${START}`, 2],
      [`start_utime=${START + DAY + 11}`, 1],
      [`validator_pubkey=${hex(1)}`, 1],
      [`adnl_address=${hex(0x83)}`, 0],
      [`stake_holder_address=${raw(0x41)}`, 1],
      ['limit=1&offset=1&sort=asc', 1],
    ] as const)
      expect([query, (await list(`complaints?${query}`)).length]).toEqual([query, count]);
  });
});
