import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Account,
  Address,
  beginCell,
  type Cell,
  Dictionary,
  storeAccount,
  storeShardAccount,
} from '@ton/core';
import { onTestFinished } from 'vitest';

const LT = 77_000_000_000_009n;
export const CODE = beginCell().storeUint(0xf800, 16).endCell();

/** The address of an account by workchain and one byte, 32 times. */
export const addressOf = (byte: number, workchain = 0) => new Address(workchain, Buffer.alloc(32, byte));

/** An account of another network, by default active; its transactions and storage payments are of that network. */
export function networkAccount(
  addr: Address,
  parts: { state?: Account['storage']['state']; extra?: [number, bigint][]; due?: bigint } = {},
): Account {
  const { state = activeState(CODE), extra = [], due } = parts;
  const other = Dictionary.empty(Dictionary.Keys.Uint(32), Dictionary.Values.BigVarUint(5));
  for (const [id, amount] of extra) other.set(id, amount);
  return {
    addr,
    storageStats: { used: { cells: 3n, bits: 900n }, lastPaid: 1_778_778_633, duePayment: due ?? null },
    storage: { lastTransLt: LT, balance: { coins: 5_000_000_000n, other }, state },
  } as Account;
}

/** An active state with data of 32 bits and public libraries. */
export function activeState(code: Cell, libraries: readonly Cell[] = []): Account['storage']['state'] {
  const simple = {
    serialize: (root: Cell, builder: ReturnType<typeof beginCell>) => builder.storeBit(true).storeRef(root),
    parse: () => {
      throw new Error('not read here');
    },
  };
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), simple);
  for (const cell of libraries) dictionary.set(BigInt(`0x${cell.hash().toString('hex')}`), cell);
  const data = beginCell().storeUint(7, 32).endCell();
  return { type: 'active', state: { code, data, libraries: dictionary as never } };
}

export const accountCell = (account: Account): Cell =>
  beginCell().storeBit(true).store(storeAccount(account)).endCell();

export const shardAccountCell = (account: Account): Cell =>
  beginCell()
    .store(
      storeShardAccount({ account, lastTransactionHash: 123n, lastTransactionLt: LT - 3n } as Parameters<
        typeof storeShardAccount
      >[0]),
    )
    .endCell();

/** A folder that is gone after the test, with these files. */
export async function forkFolder(files: Readonly<Record<string, Uint8Array | Cell>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tonhouse-fork-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), content instanceof Uint8Array ? content : content.toBoc());
  return folder;
}

/** The library cell that refers to a cell. */
export const libraryCellOf = (cell: Cell): Cell =>
  beginCell().storeUint(2, 8).storeBuffer(cell.hash()).endCell({ exotic: true });
