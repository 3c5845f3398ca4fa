import { Address, beginCell, Cell, external, storeMessage, storeShardAccount } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { describe, expect, it } from 'vitest';
import { methodId } from '../../../src/ton/contracts/codes/method-id.ts';
import { Emulator, EmulatorError } from '../../../src/tvm/emulator.ts';

const NOW = 1_800_000_000;
const ADDRESS = new Address(0, Buffer.alloc(32, 7));
// SETCP0 ACCEPT
const ACCEPTING = beginCell().storeUint(0xff00f800, 32).endCell();
/** The module's own stack, bytes. */
const SMALL_STACK = 65_536;

const base64 = (cell: Cell) => cell.toBoc({ idx: false }).toString('base64');

function chain(depth: number): Cell {
  let cell = beginCell().endCell();
  for (let i = 0; i < depth; i++) cell = beginCell().storeUint(i, 16).storeRef(cell).endCell();
  return cell;
}

function account(data: Cell): string {
  const storage = {
    lastTransLt: 0n,
    balance: { coins: 1_000_000_000_000n },
    state: { type: 'active' as const, state: { code: ACCEPTING, data } },
  };
  const storageStats = {
    used: { cells: 1n, bits: 1n },
    lastPaid: NOW,
    duePayment: null,
    storageExtra: null,
  };
  const entry = {
    account: { addr: ADDRESS, storage, storageStats },
    lastTransactionLt: 0n,
    lastTransactionHash: 0n,
  };
  return base64(beginCell().store(storeShardAccount(entry)).endCell());
}

function send(emulator: Emulator, body: Cell, data = chain(0)) {
  const message = base64(
    beginCell()
      .store(storeMessage(external({ to: ADDRESS, body })))
      .endCell(),
  );
  return emulator.transact({ shardAccount: account(data), input: { message }, lt: 1_000_000n });
}

async function entered(stackBytes?: number): Promise<Emulator> {
  const emulator = await Emulator.create(stackBytes);
  const randomSeed = new Uint8Array(32);
  emulator.enter({ config: defaultConfig, now: NOW, randomSeed, prevBlocks: null, libraries: null });
  return emulator;
}

function sameBack(emulator: Emulator, stack: Cell) {
  return emulator.runGetMethod({
    // SETCP0 DROP
    code: base64(beginCell().storeUint(0xff0030, 24).endCell()),
    data: base64(chain(0)),
    methodId: methodId('same'),
    stack: base64(stack),
    config: defaultConfig,
    address: ADDRESS.toRawString(),
    now: NOW,
    balance: 0n,
    gasLimit: 1_000_000n,
    randomSeed: new Uint8Array(32),
    libraries: null,
    prevBlocks: null,
  });
}

describe('emulator', () => {
  it('executes messages and states of any legal depth', async () => {
    const emulator = await entered();
    for (const depth of [1, 300, 440, 512, 1_000]) {
      expect(send(emulator, chain(depth)), `body ${depth}`).toMatchObject({ accepted: true });
      expect(send(emulator, chain(1), chain(depth)), `data ${depth}`).toMatchObject({ accepted: true });
    }
  });

  it('says of every trap what it was, and executes the next message as a new one would', async () => {
    const emulator = await entered(SMALL_STACK);
    const expected = send(await entered(SMALL_STACK), chain(1));
    expect(expected.accepted).toBe(true);
    for (const [body, data] of [
      [310, 1],
      [440, 1],
      [1_000, 1],
      [1, 310],
      [1, 500],
    ] as const) {
      expect(() => send(emulator, chain(body), chain(data)), `${body}, ${data}`).toThrow(EmulatorError);
      expect(send(emulator, chain(1))).toEqual(expected);
    }
  });

  it('is whole again after a request that it cannot read', async () => {
    const emulator = await entered();
    const expected = send(emulator, chain(1));
    const garbage = { shardAccount: 'AAAA', input: { message: 'AAAA' }, lt: 1n };
    expect(emulator.transact(garbage)).toMatchObject({ accepted: false });
    expect(send(emulator, chain(1))).toEqual(expected);
    const block = { now: NOW, randomSeed: new Uint8Array(32), prevBlocks: null, libraries: null };
    expect(() => emulator.enter({ ...block, config: 'AAAA' })).toThrow(EmulatorError);
    expect(() => send(emulator, chain(1))).toThrow(EmulatorError);
    emulator.enter({ ...block, config: defaultConfig });
    expect(send(emulator, chain(1))).toEqual(expected);
  });

  it('answers get methods after one that ended in a trap', async () => {
    const emulator = await entered(SMALL_STACK);
    // vm_stack#_ depth:(## 24) { one value, a cell }
    const stack = (cell: Cell) =>
      beginCell().storeUint(1, 24).storeRef(beginCell().endCell()).storeUint(3, 8).storeRef(cell).endCell();
    expect(() => sameBack(emulator, stack(chain(900)))).toThrow(EmulatorError);
    expect(sameBack(emulator, stack(chain(50))).exitCode).toBe(0);
    const roomy = await Emulator.create();
    const { exitCode, stack: result } = sameBack(roomy, stack(chain(900)));
    expect(exitCode).toBe(0);
    expect(Cell.fromBase64(result).refs[1]!.hash()).toEqual(chain(900).hash());
  });
});
