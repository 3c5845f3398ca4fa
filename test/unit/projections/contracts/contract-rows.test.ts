import { describe, expect, it } from 'vitest';
import type { StoreClient } from '../../../../src/platform/clickhouse/client.ts';
import { ContractMaker } from '../../../../src/projections/contracts/contract-rows.ts';
import {
  type CodeFact,
  type Fact,
  NO_CELLS,
  type StateFact,
  type TransferFact,
} from '../../../../src/projections/contracts/fact.ts';
import { FactWriter, readFacts } from '../../../../src/projections/contracts/pack-facts.ts';
import { readTable } from '../../../../src/ton/columns/column-reader.ts';
import type { NativeTable } from '../../../../src/ton/columns/native-column.ts';
import type { TokenState } from '../../../../src/ton/contracts/token-state.ts';

/** A jetton wallet's. */
const KNOWN_CODE = 'beb0683ebeb8927fe9fc8ec0a18bc7dd17899689825a121eab46c5a3a860d0ce';
const bytes = (value: number) => new Uint8Array(32).fill(value);
const account = (value: number) => ({ workchain: 0, address: bytes(value) });

const WALLET: TokenState = {
  kind: 'jetton_wallet',
  amount: 10n,
  flag: false,
  owner: account(1),
  parent: account(2),
  childCode: bytes(3),
  content: null,
  link: '',
};
const MASTER: TokenState = {
  ...WALLET,
  kind: 'jetton_master',
  flag: true,
  parent: null,
  content: { hash: bytes(7), json: '{"symbol":"ä"}' },
};

function state(position: number, token: StateFact['token'], more: Partial<StateFact> = {}): StateFact {
  const lt = BigInt(position * 100);
  const shown = token === null ? 0 : 4;
  return {
    type: 'state',
    position,
    account: account(9),
    lt,
    now: position * 10,
    codeHash: bytes(shown),
    dataHash: bytes(shown && 5),
    token,
    cells: NO_CELLS,
    contract: null,
    ...more,
  };
}

function transfer(position: number, more: Partial<TransferFact> = {}): TransferFact {
  return {
    type: 'transfer',
    kind: 'jetton_transfer',
    position,
    account: account(9),
    lt: BigInt(position * 100),
    hash: bytes(6),
    now: 1_700_000_000,
    isAborted: false,
    source: account(1),
    queryId: 2n ** 64n - 1n,
    amount: 2n ** 120n - 1n,
    destination: account(8),
    response: null,
    forwardAmount: 1n,
    customPayload: Uint8Array.of(1, 2),
    forwardPayload: new Uint8Array(0),
    ...more,
  };
}

const code = (position: number): CodeFact => ({
  type: 'code',
  position,
  codeHash: bytes(4),
  methods: [0, 85_143, 0xffff_ffff],
});

function packed(facts: readonly Fact[]) {
  const writer = new FactWriter();
  for (const fact of facts) writer.add(fact);
  return writer.take(null);
}

/** Rows by table of facts in one batch, from the first block on: nothing is stored yet. */
async function rowsOf(...facts: readonly Fact[]) {
  const stored = null as unknown as StoreClient;
  const maker = new ContractMaker({ client: stored, database: 'none', partition: 0, partitions: 1, next: 0 });
  const parts = packed(facts);
  await maker.prepare([parts]);
  const set = maker.createRowSet();
  set.append(parts);
  set.endStep?.();
  const table = (name: string) =>
    readTable<Record<string, 'UInt64'>>(
      set.tables.find((one) => one.name === name) as NativeTable,
    ) as readonly Record<string, unknown>[];
  return {
    states: table('token_states'),
    moves: table('token_transfers'),
    mints: table('jetton_mints'),
    codes: table('codes'),
    gaps: table('gaps'),
    places: table('cell_places'),
    absent: table('absent_cells'),
  };
}

describe('facts of contracts', () => {
  it('come out of their buffer as they went in', () => {
    const facts = [
      state(1, null),
      state(2, 'hidden'),
      state(3, WALLET),
      state(4, { ...MASTER, kind: 'nft_collection', amount: -1n, owner: null, link: 'http://ä/' }),
      state(5, { ...MASTER, content: { hash: bytes(7), json: null } }),
      state(5, null, { cells: { shown: Uint8Array.of(...bytes(1), ...bytes(2)), absent: bytes(3) } }),
      transfer(6),
      transfer(7, { source: null, destination: null, isAborted: true, kind: 'nft_transfer' }),
      transfer(7, { destination: 'addr_var', response: 'addr_extern' }),
      transfer(7, { destination: 'addr_extern', response: account(8) }),
      code(8),
    ];
    const found = readFacts(packed(facts)).map((fact) => JSON.parse(JSON.stringify(fact, plain)));
    expect(found).toEqual(facts.map((fact) => JSON.parse(JSON.stringify(fact, plain))));
  });

  it('are as many as fit, whatever a buffer held before', () => {
    const many = Array.from({ length: 3_000 }, (_, i) => state(i, i % 2 === 0 ? WALLET : null));
    const writer = new FactWriter();
    for (const fact of many) writer.add(fact);
    const first = writer.take(null);
    expect(readFacts(first)).toHaveLength(3_000);
    writer.add(code(1));
    const second = writer.take(first.buffer);
    expect(second.buffer).toBe(first.buffer);
    expect(readFacts(second)).toHaveLength(1);
  });
});

const plain = (_key: string, value: unknown) =>
  typeof value === 'bigint'
    ? `${value}`
    : value instanceof Uint8Array
      ? Buffer.from(value).toString('hex')
      : value;

describe('rows of contracts', () => {
  it('carry what a block leaves out, as long as the hashes are the same', async () => {
    const { states, gaps } = await rowsOf(
      state(1, WALLET),
      state(2, 'hidden'),
      state(3, 'hidden', { dataHash: bytes(66) }),
      state(4, { ...WALLET, amount: 11n }, { dataHash: bytes(66) }),
    );
    expect(states.map((row) => [row.mc_seqno, row.lt, row.amount, row.is_first, row.since])).toEqual([
      [1, 100n, 10n, true, 1],
      [2, 200n, 10n, false, 1],
      [4, 400n, 11n, false, 1],
    ]);
    expect(gaps.map((row) => [row.lt, row.missing])).toEqual([[300n, 'data']]);
  });

  it('carry the content of a master, and count what nothing told', async () => {
    const hidden = (hash: number) => ({ ...MASTER, content: { hash: bytes(hash), json: null } });
    const { states, gaps } = await rowsOf(state(1, MASTER), state(2, hidden(7)), state(3, hidden(77)));
    const texts = states.map(({ content }) => Buffer.from(content as Uint8Array).toString());
    expect(texts).toEqual(['{"symbol":"ä"}', '{"symbol":"ä"}', '']);
    expect(gaps.map((row) => [row.lt, row.missing])).toEqual([[300n, 'content']]);
  });

  it('end where an account is no token any more, and begin anew', async () => {
    const { states } = await rowsOf(
      state(1, WALLET),
      state(2, null),
      state(3, null),
      state(4, MASTER),
      state(5, WALLET),
    );
    expect(states.map((row) => [row.mc_seqno, row.kind, row.is_gone, row.is_first])).toEqual([
      [1, 'jetton_wallet', false, true],
      [2, 'jetton_wallet', true, false],
      [4, 'jetton_master', false, true],
      [5, 'jetton_master', true, false],
      [5, 'jetton_wallet', false, true],
    ]);
  });

  it('leave out older states, and say when an owner is new', async () => {
    const sold = { ...WALLET, kind: 'nft_item', owner: account(5) } as const;
    const { states } = await rowsOf(
      state(2, { ...WALLET, kind: 'nft_item' }),
      state(3, WALLET, { lt: 150n }),
      state(3, sold),
      state(4, sold),
    );
    expect(states.map((row) => [row.lt, row.is_owner_new])).toEqual([
      [200n, true],
      [300n, true],
      [400n, false],
    ]);
  });

  it('are of transfers whose receiver is a wallet or item behind the step', async () => {
    const { moves } = await rowsOf(
      transfer(1),
      transfer(2, { lt: 150n }),
      state(2, WALLET),
      transfer(3, { kind: 'nft_transfer' }),
      transfer(4, { isAborted: true }),
    );
    expect(moves.map((row) => [row.mc_seqno, row.aborted, row.amount])).toEqual([
      [2, false, 2n ** 120n - 1n],
      [4, true, 2n ** 120n - 1n],
    ]);
  });

  it('of transfers have the form of an address that names no account', async () => {
    const { moves } = await rowsOf(
      state(1, WALLET),
      transfer(1, { lt: 101n }),
      transfer(1, { lt: 102n, destination: 'addr_extern', response: 'addr_var' }),
      transfer(1, { lt: 103n, destination: null, response: account(7) }),
    );
    const named = (name: string) =>
      moves.map((row) => [
        row[`has_${name}`],
        row[`${name}_workchain`],
        (row[name] as Uint8Array).every((byte) => byte === 0),
      ]);
    expect(named('destination')).toEqual([
      [true, 0, false],
      [false, 1, true],
      [false, 0, true],
    ]);
    expect(named('response')).toEqual([
      [false, 0, true],
      [false, 2, true],
      [true, 0, false],
    ]);
  });

  it('are of transfers whose receiver may be a wallet or item by its get methods: cells say nothing of it', async () => {
    const [odd, wallet, ended] = [
      bytes(77),
      Buffer.from('/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'base64'),
      bytes(0),
    ];
    const ofCode = (codeHash: Uint8Array, of: number) => ({ codeHash, account: account(of) });
    const { moves } = await rowsOf(
      state(1, null, ofCode(odd, 10)),
      transfer(1, { account: account(10) }),
      transfer(1, { account: account(10), kind: 'nft_transfer', lt: 101n, isAborted: true }),
      // A wallet of coins, and one of which no state is known.
      state(1, null, ofCode(wallet, 11)),
      transfer(1, { account: account(11) }),
      transfer(1, { account: account(12) }),
      // It may have ended with the transfer; what was aborted did not end.
      state(2, null, ofCode(ended, 10)),
      transfer(2, { account: account(10) }),
      transfer(2, { account: account(10), lt: 201n, isAborted: true }),
      // A code of wallets, with data that is none of one.
      state(3, null, ofCode(Buffer.from(KNOWN_CODE, 'hex'), 13)),
      transfer(3, { account: account(13) }),
    );
    const found = moves.map((row) => [row.lt, row.kind, row.has_parent, (row.child_code as Uint8Array)[0]]);
    expect(found).toEqual([
      [100n, 'jetton_transfer', false, 77],
      [101n, 'nft_transfer', false, 77],
      [200n, 'jetton_transfer', false, 0],
    ]);
  });

  it('name states whose data is not what their code keeps', async () => {
    const known = { codeHash: Buffer.from(KNOWN_CODE, 'hex') };
    const { states, gaps } = await rowsOf(
      state(1, WALLET, known),
      state(2, null, known),
      state(3, null, { codeHash: bytes(77) }),
    );
    expect(states.map((row) => [row.lt, row.is_gone])).toEqual([
      [100n, false],
      [200n, true],
    ]);
    expect(gaps.map((row) => [row.lt, row.missing, row.is_unread])).toEqual([[200n, 'data', true]]);
  });

  it('have each code once', async () => {
    const { codes } = await rowsOf(code(1), code(1), code(2));
    expect(codes.map((row) => [row.mc_seqno, row.is_known])).toEqual([[1, false]]);
    const methods = Buffer.from(codes[0]?.methods as Uint8Array);
    expect([0, 4, 8].map((at) => methods.readUInt32LE(at))).toEqual([0, 85_143, 0xffff_ffff]);
  });

  it('say where each cell stands, and name once what an account leaves out', async () => {
    const shows = (lt: bigint, shown: number[], absent: number[]): Partial<StateFact> => ({
      lt,
      cells: { shown: Buffer.concat(shown.map(bytes)), absent: Buffer.concat(absent.map(bytes)) },
    });
    const { places, absent } = await rowsOf(
      state(1, null, shows(100n, [1, 2], [3])),
      // A state from before the index: its content counts whatever is known of the account.
      state(2, WALLET, shows(50n, [4], [])),
      state(2, null, shows(200n, [], [3, 5])),
      state(2, null, { ...shows(200n, [], [3]), account: account(10) }),
    );
    expect(places.map((row) => [row.lt, row.hash8])).toEqual([
      [100n, 0x0101010101010101n],
      [100n, 0x0202020202020202n],
      [50n, 0x0404040404040404n],
    ]);
    expect(
      absent.map((row) => [row.lt, (row.account as Uint8Array)[0], (row.hash as Uint8Array)[0]]),
    ).toEqual([
      [100n, 9, 3],
      [200n, 9, 5],
      [200n, 10, 3],
    ]);
  });

  it('have mints of wallets that cells identify if their master is the sender, and no transfers', async () => {
    const mint = { kind: 'jetton_mint', source: account(2) } as const;
    const { mints, moves } = await rowsOf(
      state(1, WALLET),
      transfer(1, mint),
      transfer(1, { ...mint, lt: 101n, source: account(1) }),
      transfer(1, { ...mint, lt: 102n, source: null }),
      transfer(1, { ...mint, lt: 103n, source: { workchain: -1, address: bytes(2) } }),
      state(2, MASTER, { account: account(7), codeHash: Buffer.from(KNOWN_CODE, 'hex') }),
      transfer(2, { ...mint, account: account(7) }),
      transfer(3, { ...mint, isAborted: true, response: 'addr_extern' }),
    );
    expect(moves).toEqual([]);
    expect(mints).toMatchObject([
      {
        ...{
          lt: 100n,
          is_known: true,
          parent: bytes(2),
          child_code: bytes(3),
          has_owner: true,
          owner: bytes(1),
        },
        aborted: false,
      },
      { ...{ lt: 300n, is_known: true, aborted: true }, has_response: false, response_workchain: 0 },
    ]);
  });

  it('have what an account under an unknown code received: get methods decide', async () => {
    const mint = { kind: 'jetton_mint', source: account(6) } as const;
    const { mints } = await rowsOf(
      state(1, null, { codeHash: bytes(4) }),
      transfer(1, mint),
      state(2, null, { account: account(7), codeHash: Buffer.from(KNOWN_CODE, 'hex') }),
      transfer(2, { ...mint, account: account(7) }),
    );
    expect(mints).toMatchObject([
      { ...{ lt: 100n, is_known: false, parent: bytes(6), child_code: bytes(4) }, has_owner: false },
    ]);
  });
});
