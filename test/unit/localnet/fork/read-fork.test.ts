import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginCell, Cell, convertToMerkleProof } from '@ton/core';
import { describe, expect, it } from 'vitest';
import { ForkError } from '../../../../src/localnet/fork/fork-error.ts';
import { readFork } from '../../../../src/localnet/fork/read-fork.ts';
import { toHex } from '../../../../src/ton/hash/hex.ts';
import { toAccountName } from '../../../../src/ton/store/store-address.ts';
import { openEngine } from '../local-engine.ts';
import {
  accountCell,
  activeState,
  addressOf,
  CODE,
  forkFolder,
  libraryCellOf,
  networkAccount,
  shardAccountCell,
} from './fork-accounts.ts';

const MAX_BYTES = 64 * 2 ** 20;
const ELECTOR = addressOf(0x33, -1);
const OWN = new Map([[ELECTOR.toRawString(), 'elector']]);
const [ONE, TWO] = [networkAccount(addressOf(1)), networkAccount(addressOf(2, -1))] as const;

const names = (fork: Awaited<ReturnType<typeof readFork>>) =>
  fork.accounts.map(({ address }) => toAccountName(address)).sort();

describe('a fork of files', () => {
  it('has accounts of Account and ShardAccount cells; other files of a folder are not read', async () => {
    const folder = await forkFolder({
      'one.boc': accountCell(ONE),
      'two.boc': shardAccountCell(TWO),
      'notes.json': Buffer.from('{}'),
    });
    const fork = await readFork([folder], OWN);
    expect(names(fork)).toEqual([TWO.addr.toRawString(), ONE.addr.toRawString()]);
    expect(fork.notices).toEqual([]);
    expect(fork.libraries).toEqual([]);
  });

  it('has one identity for the same content, whatever its files are called', async () => {
    const first = await forkFolder({ 'a.boc': accountCell(ONE), 'b.boc': shardAccountCell(TWO) });
    const second = await forkFolder({ x: accountCell(TWO), y: accountCell(ONE) });
    const [one, again] = [
      await readFork([first], OWN),
      await readFork([join(second, 'x'), join(second, 'y')], OWN),
    ];
    expect(again.hash).toBe(one.hash);
    const less = await readFork([join(first, 'a.boc')], OWN);
    expect(less.hash).not.toBe(one.hash);
    expect((await readFork([first, join(first, 'a.boc'), first], OWN)).hash).toBe(one.hash);
  });

  it('has the accounts and public libraries of a state; the local chain keeps its special accounts', async () => {
    const library = beginCell().storeUint(0xabcdef, 24).endCell();
    const code = libraryCellOf(library);
    const state = activeState(code);
    const given = await forkFolder({
      'user.boc': accountCell(networkAccount(addressOf(4), { state })),
      'library.boc': library,
    });
    const [masterchain] = (await openEngine({ fork: [given] })).zerostates();
    const folder = await forkFolder({ 'state.boc': masterchain });
    const fork = await readFork([folder], OWN);
    expect(fork.libraries.map((cell) => cell.hash().toHex())).toEqual([library.hash().toString('hex')]);
    expect(names(fork)).not.toContain(ELECTOR.toRawString());
    expect(fork.accounts.length).toBeGreaterThan(1);
    expect(fork.notices).toEqual([
      `not loaded, the local chain has its own elector: ${ELECTOR.toRawString()} of ${folder}/state.boc`,
    ]);
  });

  it('has the libraries that accounts refer to, also through another library', async () => {
    const inner = beginCell().storeUint(1, 8).endCell();
    const outer = beginCell().storeUint(2, 8).storeRef(libraryCellOf(inner)).endCell();
    const unused = beginCell().storeUint(3, 8).endCell();
    const absent = beginCell().storeUint(4, 8).endCell();
    const code = beginCell().storeRef(libraryCellOf(outer)).storeRef(libraryCellOf(absent)).endCell();
    const folder = await forkFolder({
      'account.boc': accountCell(networkAccount(addressOf(1), { state: activeState(code) })),
      'inner.boc': inner,
      'outer.boc': outer,
      'unused.boc': unused,
    });
    const fork = await readFork([folder], OWN);
    expect(fork.libraries.map((cell) => cell.hash().toHex()).sort()).toEqual(
      [inner, outer].map((cell) => cell.hash().toString('hex')).sort(),
    );
    expect(fork.notices).toEqual([
      `no file has these libraries, so code that needs them cannot run: ${absent.hash().toString('hex')}`,
      `not loaded, neither an account, a state nor a library of a loaded account: ${folder}/unused.boc`,
    ]);
  });

  it('names every file that cannot be used: named ones are refused, those of a folder left out', async () => {
    const whole = accountCell(networkAccount(addressOf(9))).toBoc();
    const pruned = Cell.fromBoc(convertToMerkleProof(accountCell(ONE)).toBoc())[0]!;
    const folder = await forkFolder({
      'cut.boc': whole.subarray(0, -6),
      'damaged.boc': Buffer.concat([whole.subarray(0, -20), Buffer.from([1]), whole.subarray(-19)]),
      'empty.boc': Buffer.alloc(0),
      'one.boc': accountCell(ONE),
      'proof.boc': pruned,
    });
    const unusable = ['cut.boc', 'damaged.boc', 'empty.boc', 'proof.boc'];
    const error = await readFork(
      unusable.map((name) => join(folder, name)),
      OWN,
    ).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(ForkError);
    const { message, problems } = error as ForkError;
    expect(message).toMatch(/^--fork: /);
    expect(problems).toEqual([
      expect.stringMatching(/cut\.boc cannot be used: bag of cells/),
      expect.stringMatching(/damaged\.boc cannot be used: bag of cells/),
      expect.stringMatching(/empty\.boc cannot be used: bag of cells/),
      `${folder}/proof.boc cannot be used: expected a complete cell, found a Merkle proof`,
    ]);
    const { accounts, notices } = await readFork([folder], OWN);
    expect(accounts.map(({ address }) => toAccountName(address))).toEqual([ONE.addr.toRawString()]);
    expect(notices).toEqual([
      expect.stringMatching(/^files of a folder that cannot be used: .*cut\.boc .*empty\.boc .*proof\.boc/),
    ]);
    // A file that is named, too, must be usable.
    await expect(readFork([folder, join(folder, 'cut.boc')], OWN)).rejects.toThrow('cut.boc cannot be used');
  });

  it('takes the newer state of an account, and refuses two of the same time', async () => {
    const at = (lt: bigint, coins: bigint) => {
      const account = networkAccount(addressOf(1));
      const balance = { ...account.storage.balance, coins };
      return accountCell({ ...account, storage: { ...account.storage, lastTransLt: lt, balance } });
    };
    const [older, newer, other] = [at(5n, 1n), at(7n, 2n), at(7n, 3n)];
    const folder = await forkFolder({ 'a.boc': older, 'b.boc': newer, 'c.boc': older, 'd.boc': newer });
    const { accounts, notices } = await readFork([folder], OWN);
    expect(accounts.map(({ account }) => toHex(account.hash()))).toEqual([newer.hash().toString('hex')]);
    const name = ONE.addr.toRawString();
    expect(notices).toEqual([
      `older states of accounts not loaded: ${name} of ${folder}/a.boc, ${name} of ${folder}/c.boc`,
    ]);
    // Two older states of the same time do not matter, whatever the order of the files.
    for (const files of [
      { 'a.boc': at(5n, 1n), 'b.boc': at(5n, 2n), 'c.boc': newer },
      { 'a.boc': newer, 'b.boc': at(5n, 1n), 'c.boc': at(5n, 2n) },
    ])
      expect((await readFork([await forkFolder(files)], OWN)).accounts).toHaveLength(1);
    const two = await forkFolder({ 'a.boc': newer, 'b.boc': other });
    await expect(readFork([two], OWN)).rejects.toThrow(
      `account ${name} has two states of the lt 7, in ${two}/a.boc and in ${two}/b.boc: name one of them`,
    );
  });

  it('refuses pruned cells below an account', async () => {
    const hidden = beginCell().storeUint(5, 8).endCell();
    const branch = beginCell().storeUint(0x0101, 16).storeBuffer(hidden.hash()).storeUint(0, 16);
    const code = beginCell()
      .storeRef(branch.endCell({ exotic: true }))
      .endCell();
    const account = accountCell(networkAccount(addressOf(1), { state: activeState(code) }));
    const folder = await forkFolder({ 'pruned.boc': account });
    await expect(readFork([join(folder, 'pruned.boc')], OWN)).rejects.toThrow(
      `${folder}/pruned.boc cannot be used: expected a complete cell, found one with pruned branches`,
    );
  });

  it('refuses a path that is absent, a folder without BoC files, and too many bytes', async () => {
    const folder = await forkFolder({ 'notes.txt': Buffer.from('none') });
    await expect(readFork([join(folder, 'absent')], OWN)).rejects.toThrow(
      `--fork: ${folder}/absent cannot be read (ENOENT)`,
    );
    await expect(readFork([folder], OWN)).rejects.toThrow(`${folder}: expected files that end in .boc`);
    const large = join(folder, 'large.boc');
    await writeFile(large, CODE.toBoc());
    await truncate(large, MAX_BYTES + 1);
    await expect(readFork([large], OWN)).rejects.toThrow(`${large} has ${MAX_BYTES + 1} bytes`);
  });
});
