import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Cell as CoreCell } from '@ton/core';
import { defaultConfig } from '@ton/sandbox';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { CellHashes } from '../../src/ton/boc/cell-hashes.ts';
import { CellSlice } from '../../src/ton/boc/cell-slice.ts';
import { serializeCell } from '../../src/ton/boc/serialize.ts';
import { readCell } from '../../src/ton/cell/cells-of-bag.ts';
import { methodId } from '../../src/ton/contracts/codes/method-id.ts';
import { isKnownLayout, readToken } from '../../src/ton/contracts/known-layouts.ts';
import type { TokenKind, TokenState } from '../../src/ton/contracts/token-state.ts';
import { toBase64 } from '../../src/ton/hash/base64.ts';
import { type Account, loadAccount } from '../../src/ton/tlb/account/account.ts';
import { forEachShardAccount } from '../../src/ton/tlb/account/shard-accounts.ts';
import { loadShardStateUnsplit } from '../../src/ton/tlb/block/shard-state.ts';
import { loadMsgAddress } from '../../src/ton/tlb/msg-address.ts';
import { loadWholeCell } from '../../src/ton/tlb/whole-cell.ts';
import { Emulator } from '../../src/tvm/emulator.ts';
import { libraryDictionary } from '../../src/tvm/library-dictionary.ts';
import { readStack } from '../../src/tvm/stack/read-stack.ts';
import type { StackValue } from '../../src/tvm/stack/stack-value.ts';
import { writeStack } from '../../src/tvm/stack/write-stack.ts';
import { BenchError } from '../common/bench-error.ts';

/** Least time of a measurement, ms. */
const MIN_MS = 2_000;
const METHODS: Readonly<Record<TokenKind, string>> = {
  jetton_master: 'get_jetton_data',
  jetton_wallet: 'get_wallet_data',
  nft_collection: 'get_collection_data',
  nft_item: 'get_nft_data',
};

/** A token contract of the shared accounts or of the local chain, under a code whose layout is known. */
interface State {
  /** The Account cell as a bag. */
  readonly bag: Uint8Array;
  readonly code: string;
  readonly data: string;
  readonly address: string;
}

export interface StateRates {
  readonly states: number;
  readonly direct: number;
  readonly tvm: number;
}

/**
 * Rates of reading states from their cells and by their get methods, which must give the same values for every state.
 */
export async function stateRates(folder: string, zerostates: readonly Uint8Array[]): Promise<StateRates> {
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.boc')) : [];
  const bags = files.map((name) => accountOfFile(readFileSync(join(folder, name))));
  const codes = join(folder, '../contracts/code');
  const libraries = existsSync(codes)
    ? libraryDictionary(
        readdirSync(codes).map((name) => readCell(new Uint8Array(readFileSync(join(codes, name))))),
      )
    : null;
  const states = [...bags, ...zerostates.flatMap(accountsOfState)].flatMap(knownState);
  if (states.length === 0) throw new BenchError(`no state of a known contract in ${folder}`);
  const emulator = await Emulator.create();
  for (const state of states) compare(state, direct(state), byMethod(emulator, state, libraries));
  return {
    states: states.length,
    direct: rate(states, (state) => direct(state)),
    tvm: rate(states, (state) => byMethod(emulator, state, libraries)),
  };
}

function rate(states: readonly State[], read: (state: State) => unknown): number {
  let count = 0;
  const start = performance.now();
  for (; performance.now() - start < MIN_MS; count += states.length) for (const state of states) read(state);
  return count / ((performance.now() - start) / 1000);
}

/** As the projection reads a state: out of its bag. */
function direct({ bag }: State): TokenState | null {
  const boc = parseBoc(bag);
  const hashes = new CellHashes(boc);
  const account = loadAccount(new CellSlice(boc, onlyRoot(boc))) as Account;
  if (account.state.status !== 'active' || account.addr.kind !== 'std') return null;
  const { code, data } = account.state.init;
  const { workchain, address } = account.addr;
  const token = readToken(Buffer.from(hashes.hash(code)).toString('hex'), {
    boc,
    hashes,
    account: { workchain, address },
    code,
    data,
  });
  return token === 'hidden' ? null : token;
}

/** Result stack of the get method with the same values. */
function byMethod(emulator: Emulator, { code, data, address }: State, libraries: string | null) {
  const kind = kindByState.get(`${address} ${data}`) as TokenKind;
  const { stack, exitCode } = emulator.runGetMethod({
    code,
    data,
    methodId: methodId(METHODS[kind]),
    stack: EMPTY_STACK,
    config: defaultConfig,
    address,
    now: 1_750_000_000,
    balance: 1_000_000_000n,
    gasLimit: 1_000_000n,
    randomSeed: SEED,
    libraries,
    prevBlocks: null,
  });
  if (exitCode !== 0) throw new BenchError(`${METHODS[kind]} of ${address} ended with ${exitCode}`);
  return readStack(Buffer.from(stack, 'base64'));
}

const EMPTY_STACK = toBase64(writeStack([]));
const SEED = new Uint8Array(32);
/** Kinds of the states, as input of the TVM path. */
const kindByState = new Map<string, TokenKind>();

/** Positions of the common values: amount, flag, owner, parent. */
const PLACES: Readonly<Record<TokenKind, readonly [number, number | null, number, number | null]>> = {
  jetton_master: [0, 1, 2, null],
  jetton_wallet: [0, null, 1, 2],
  nft_collection: [0, null, 2, null],
  nft_item: [1, 0, 3, 2],
};

function compare({ address }: State, token: TokenState | null, stack: readonly StackValue[]): void {
  if (!token) throw new BenchError(`${address} is no token as its cells have it`);
  const [amount, flag, owner, parent] = PLACES[token.kind];
  const said = [
    toInt(stack[amount]),
    flag === null ? null : toInt(stack[flag]) !== 0n,
    parseAddress(stack[owner]),
    parent === null ? null : parseAddress(stack[parent]),
  ];
  const name = (one: TokenState['owner']) =>
    one && `${one.workchain}:${Buffer.from(one.address).toString('hex')}`;
  const read = [
    token.amount,
    flag === null ? null : token.flag,
    name(token.owner),
    parent === null ? null : name(token.parent),
  ];
  if (said.some((value, i) => value !== read[i]))
    throw new BenchError(
      `${token.kind} ${address}: cells say ${read.join(', ')}, the get method ${said.join(', ')}`,
    );
}

const toInt = (value: StackValue | undefined) => (value?.kind === 'int' ? value.value : null);

function parseAddress(value: StackValue | undefined): string | null {
  if (value?.kind !== 'slice' && value?.kind !== 'cell') return null;
  const boc = parseBoc(value.boc);
  const found = loadMsgAddress(new CellSlice(boc, onlyRoot(boc)));
  return found.kind === 'std' ? `${found.workchain}:${Buffer.from(found.address).toString('hex')}` : null;
}

/** The Account cell of a file of one account: an Account, or a ShardAccount above it. */
function accountOfFile(bytes: Buffer): Uint8Array {
  // Some files leave levels out of their descriptors, which @ton/core allows.
  const [root] = CoreCell.fromBoc(bytes) as [CoreCell];
  // A ShardAccount is one reference, a hash and an lt: an Account has more bits.
  const isShardAccount = root.refs.length === 1 && root.bits.length === 320;
  return new Uint8Array((isShardAccount ? (root.refs[0] as CoreCell) : root).toBoc());
}

function accountsOfState(bytes: Uint8Array): Uint8Array[] {
  const boc = parseBoc(bytes);
  const { accounts } = loadWholeCell(boc, onlyRoot(boc), 'ShardStateUnsplit', loadShardStateUnsplit);
  const found: Uint8Array[] = [];
  forEachShardAccount(boc, accounts, (_address, { account }) => found.push(serializeCell(boc, account)));
  return found;
}

/** The state, if its layout is known and its address is the one that its master or collection computes. */
function knownState(bag: Uint8Array): State[] {
  const boc = parseBoc(bag);
  const account = loadAccount(new CellSlice(boc, onlyRoot(boc)));
  if (account?.state.status !== 'active' || account.addr.kind !== 'std') return [];
  const { code, data } = account.state.init;
  if (code < 0 || data < 0) return [];
  if (!isKnownLayout(Buffer.from(new CellHashes(boc).hash(code)).toString('hex'))) return [];
  const { workchain, address } = account.addr;
  const state = {
    bag,
    code: toBase64(serializeCell(boc, code)),
    data: toBase64(serializeCell(boc, data)),
    address: `${workchain}:${Buffer.from(address).toString('hex')}`,
  };
  const token = direct(state);
  if (!token) return [];
  kindByState.set(`${state.address} ${state.data}`, token.kind);
  return [state];
}
