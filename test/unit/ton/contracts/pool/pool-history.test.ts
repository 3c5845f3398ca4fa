/** Events of nominator pools: states between several transactions, against the published code in the TVM. */
import { readFileSync } from 'node:fs';
import {
  Address,
  beginCell,
  Cell,
  contractAddress,
  internal,
  loadShardAccount,
  loadTransaction,
  storeMessage,
  storeShardAccount,
  toNano,
} from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { beforeAll, expect, it } from 'vitest';
import type { PoolTransaction } from '../../../../../src/ton/contracts/pool/pool-call.ts';
import { readPoolCall } from '../../../../../src/ton/contracts/pool/pool-call.ts';
import { poolEvents } from '../../../../../src/ton/contracts/pool/pool-events.ts';
import { poolHistory } from '../../../../../src/ton/contracts/pool/pool-history.ts';
import { type PoolStorage, readPoolStorage } from '../../../../../src/ton/contracts/pool/pool-storage.ts';
import { Emulator } from '../../../../../src/tvm/emulator.ts';
import { SeededRandom } from '../../../../helpers/seeded-random.ts';
import { describeWithData } from '../../../../helpers/shared-data.ts';

const CODE = '9a3ec14bc098f6b44064c305222caea2800f17dda85ee6a8198a7095ede10dcf';
const ELECTOR = new Address(-1, Buffer.alloc(32, 0x33));
const VALIDATOR = new Address(-1, Buffer.alloc(32, 3));
const NOMINATORS = [0x11, 0x99, 0xf0].map((byte) => new Address(0, Buffer.alloc(32, byte)));
const raw = (address: Address) => address.toRawString().toUpperCase();
const NOW = 1_760_000_000;
const STAKE_AT = NOW + 600;

interface Sent {
  readonly from: Address;
  readonly value: bigint;
  readonly body: Cell;
}

const letter = (text: string) => beginCell().storeUint(0, 32).storeStringTail(text).endCell();
const op = (code: number) => beginCell().storeUint(code, 32).storeUint(7, 64);

describeWithData('events of a nominator pool', (data) => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await Emulator.create();
    emulator.enter({
      config: defaultConfig,
      now: NOW,
      randomSeed: new Uint8Array(32),
      prevBlocks: null,
      libraries: null,
    });
  });

  /** A pool in the TVM. */
  class Pool {
    account: string;
    lt = 1_000_000n;
    readonly at: Address;

    constructor() {
      const [code] = Cell.fromBoc(readFileSync(`${data}/contracts/code/${CODE}.boc`));
      const config = beginCell().storeBuffer(VALIDATOR.hash).storeUint(4_000, 16).storeUint(40, 16);
      const storage = beginCell()
        .storeUint(0, 8)
        .storeUint(0, 16)
        .storeCoins(0)
        .storeCoins(0)
        .storeRef(config.storeCoins(toNano(1_000)).storeCoins(toNano(10)).endCell())
        .storeBit(false)
        .storeBit(false)
        .storeUint(0n, 32 + 256 + 8 + 32 + 32)
        .storeBit(false)
        .endCell();
      this.at = contractAddress(-1, { code: code!, data: storage });
      this.account = beginCell()
        .store(
          storeShardAccount({
            lastTransactionHash: 0n,
            lastTransactionLt: 0n,
            account: {
              addr: this.at,
              storageStats: {
                used: { cells: 1n, bits: 1n },
                lastPaid: NOW,
                duePayment: null,
                storageExtra: null,
              },
              storage: {
                lastTransLt: 0n,
                balance: { coins: toNano(20) },
                state: { type: 'active', state: { code: code!, data: storage } },
              },
            },
          }),
        )
        .endCell()
        .toBoc()
        .toString('base64');
    }

    get storage(): PoolStorage {
      const { account } = loadShardAccount(Cell.fromBase64(this.account).beginParse());
      const state = account!.storage.state;
      if (state.type !== 'active') throw new Error(`expected an active pool, found ${state.type}`);
      return readPoolStorage(state.state.data!.toBoc());
    }

    run({ from, value, body }: Sent): PoolTransaction {
      this.lt += 1_000_000n;
      const message = internal({ to: this.at, value, body });
      const info = { ...message.info, src: from, createdLt: this.lt - 1n, createdAt: NOW } as never;
      const cell = beginCell()
        .store(storeMessage({ ...message, info }))
        .endCell();
      const made = emulator.transact({
        shardAccount: this.account,
        input: { message: cell.toBoc().toString('base64') },
        lt: this.lt,
      });
      if (!made.accepted) throw new Error(made.error);
      this.account = made.shardAccount;
      const transaction = loadTransaction(Cell.fromBoc(Buffer.from(made.transaction))[0]!.beginParse());
      const { description } = transaction;
      if (description.type !== 'generic') throw new Error(`expected generic, found ${description.type}`);
      return {
        isDone: !description.aborted,
        message: { source: raw(from), value, bounced: false, body: body.toBoc() },
        sent: transaction.outMessages
          .values()
          .flatMap(({ info: sent }) =>
            sent.type === 'internal' ? [{ to: raw(sent.dest), value: sent.value.coins }] : [],
          ),
      };
    }
  }

  const stake = () =>
    op(0x4e73744b)
      .storeCoins(toNano(2_000))
      .storeUint(5n, 256)
      .storeUint(STAKE_AT, 32)
      .storeUint(65_536, 32)
      .storeUint(6n, 256)
      .storeRef(beginCell().storeBuffer(Buffer.alloc(64)).endCell())
      .endCell();
  const fromElector = (code: number, value: bigint): Sent => ({
    from: ELECTOR,
    value,
    body: op(code).endCell(),
  });
  const recovered = (value: bigint) => fromElector(0xf96f7324, value);
  const deposit = (from: Address, coins: number): Sent => ({ from, value: toNano(coins), body: letter('d') });
  const withdraw = (from: Address): Sent => ({ from, value: toNano(1), body: letter('w') });
  const ofValidator = (code: number, coins: number, amount?: number): Sent => ({
    from: VALIDATOR,
    value: toNano(coins),
    body: (amount === undefined ? op(code) : op(code).storeCoins(toNano(amount))).endCell(),
  });
  const process = (limit: number): Sent => ({
    from: VALIDATOR,
    value: toNano(2),
    body: op(2).storeUint(limit, 8).endCell(),
  });
  const sendStake = (): Sent => ({ from: VALIDATOR, value: toNano(2), body: stake() });

  /** Runs messages as one block would have them: its first and last state, and each step. */
  function block(pool: Pool, messages: readonly Sent[]) {
    const states = [pool.storage];
    const transactions = messages.map((message) => {
      const transaction = pool.run(message);
      states.push(pool.storage);
      return transaction;
    });
    const found = poolHistory(states[0]!, states.at(-1)!, { transactions, elector: raw(ELECTOR) });
    const expected = transactions.flatMap((transaction, i) => {
      const call = readPoolCall(transaction, raw(ELECTOR));
      return call ? [{ transaction, events: poolEvents(states[i]!, states[i + 1]!, call) }] : [];
    });
    return { found, expected, transactions, states };
  }

  it('follow from messages where a block has several transactions, in every state of a round', () => {
    const pool = new Pool();
    const [a, b, c] = NOMINATORS as [Address, Address, Address];
    const first = block(pool, [
      ofValidator(4, 1_501),
      deposit(b, 901),
      deposit(a, 601),
      deposit(b, 100),
      withdraw(a),
      deposit(a, 301),
      deposit(c, 5),
    ]);
    expect(first.transactions.map(({ isDone }) => isDone)).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(first.found).toEqual(first.expected);
    const round = block(pool, [
      sendStake(),
      fromElector(0xf374484c, toNano(1)),
      deposit(c, 51),
      withdraw(b),
      withdraw(c),
    ]);
    expect(pool.storage).toMatchObject({ state: 2, stakeSent: toNano(1_999), stakeAt: STAKE_AT });
    expect(round.found).toEqual(round.expected);
    expect(round.found!.flatMap(({ events }) => events.nominators.map(({ type }) => type))).toEqual([
      'deposit',
      'withdrawal_request',
      'withdrawal_request',
    ]);
    const end = block(pool, [recovered(toNano(2_099) + 1n), process(1), process(9), ofValidator(5, 2, 100)]);
    expect(end.found).toEqual(end.expected);
    const types = end.found!.flatMap(({ events }) => [
      ...events.nominators.map(({ type, nominator }) => [type, nominator]),
      ...events.validator.map(({ type, cycleStart }) => [type, cycleStart]),
    ]);
    expect(types).toEqual([
      ['reward', raw(a)],
      ['reward', raw(b)],
      ['pending_deposit_activation', raw(c)],
      ['reward', STAKE_AT],
      ['withdrawal', raw(b)],
      ['withdrawal', raw(c)],
      ['withdrawal', null],
    ]);
    // A loss above the coins of the validator: the nominators bear the rest.
    const loss = block(pool, [
      deposit(a, 1_001),
      sendStake(),
      fromElector(0xf374484c, toNano(1)),
      recovered(toNano(300)),
    ]);
    expect(loss.found).toEqual(loss.expected);
    const events = loss.found!.at(-1)!.events;
    expect(loss.transactions.map(({ isDone }) => isDone)).toEqual([true, true, true, true]);
    expect(events.validator).toMatchObject([{ type: 'penalty', after: 0n }]);
    expect(events.nominators.map(({ amount }) => amount < 0n)).toEqual([true]);
  });

  it('are those of each state in random blocks', () => {
    const random = new SeededRandom(19);
    const pool = new Pool();
    const makers: readonly (() => Sent)[] = [
      () => deposit(random.pick(NOMINATORS), 12 + random.below(900)),
      () => deposit(random.pick(NOMINATORS), 12 + random.below(900)),
      () => withdraw(random.pick(NOMINATORS)),
      () => ofValidator(4, 1_200),
      () => ofValidator(5, 2, 50),
      sendStake,
      () => fromElector(0xf374484c, toNano(1)),
      () => fromElector(0xee6f454c, toNano(1_999)),
      () => recovered(pool.storage.stakeSent + toNano(40) + BigInt(random.below(100) - 30) * 1_000_000_007n),
      () => process(random.below(3)),
    ];
    let several = 0;
    for (let i = 0; i < 60; i++) {
      const made = Array.from({ length: 1 + random.below(5) }, () => random.pick(makers)());
      const { found, expected } = block(pool, made);
      expect(found, `block ${i}`).toEqual(expected);
      if (expected.length > 1) several++;
    }
    expect(several).toBeGreaterThan(20);
  });

  it('are none where the transactions do not lead to the state of the block', () => {
    const pool = new Pool();
    const [a, b] = NOMINATORS as [Address, Address];
    const { states, transactions } = block(pool, [deposit(a, 100), deposit(b, 50)]);
    const elector = raw(ELECTOR);
    const other = { ...states[2]!, validatorAmount: 1n };
    expect(poolHistory(states[0]!, other, { transactions, elector })).toBeNull();
    expect(poolHistory(states[0]!, states[2]!, { transactions: [], elector })).toBeNull();
  });
});
