/**
 * Facts of some records in one buffer, fit for moving between threads. A fact is a type byte, the position (u32) and its
 * fields in order; integers little endian, amounts and currencies as in the packs of messages.
 */
import type { RowParts } from '../../engine/projection/row-set.ts';
import { GrowableBytes } from '../../ton/columns/growable-bytes.ts';
import { PackReader } from '../../ton/columns/pack-reader.ts';
import { writeAmount, writeBytes, writeU32 } from '../../ton/columns/pack-writer.ts';
import {
  type NamedAddress,
  UNNAMED_ADDRESSES,
  type UnnamedAddress,
} from '../../ton/contracts/read-fields.ts';
import { TOKEN_KINDS, type TokenState } from '../../ton/contracts/token-state.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import {
  type CodeFact,
  type Fact,
  MOVE_KINDS,
  type ShownContract,
  type StateFact,
  type TransferFact,
} from './fact.ts';

const TYPES = ['state', 'transfer', 'code'] as const;
/** Byte after a state's fields: no token, a hidden one, or the kind's number above these. */
const NO_TOKEN = 0;
const HIDDEN = 1;
const FIRST_KIND = 2;
/** Byte of a contract whose data is not shown, by place, and of one that is. */
const CONTRACTS = [null, 'hidden', 'large'] as const;
const SHOWN = CONTRACTS.length;
/** Byte of an address: none, an account, or the number of the form that names none above these. */
const NO_ADDRESS = 0;
const ACCOUNT = 1;
const FIRST_UNNAMED = 2;
const STEP = 1 << 16;
/** An index of -1: amounts have no sign. */
const NO_INDEX = (1n << 256n) - 1n;

/** Collects facts. */
export class FactWriter {
  readonly #out = new GrowableBytes(STEP);
  #count = 0;

  add(fact: Fact): void {
    const out = this.#out;
    writeU8(out, TYPES.indexOf(fact.type));
    writeU32(out, fact.position);
    if (fact.type === 'state') writeState(out, fact);
    else if (fact.type === 'transfer') writeTransfer(out, fact);
    else writeCode(out, fact);
    this.#count++;
  }

  /** Returns the facts, in `spare` if it is large enough, and clears them. */
  take(spare: ArrayBuffer | null): RowParts {
    const used = this.#out.used();
    const size = used.length;
    const buffer =
      spare && spare.byteLength >= size ? spare : new ArrayBuffer(Math.max(1, Math.ceil(size / STEP)) * STEP);
    new Uint8Array(buffer).set(used);
    const parts = { buffer, rows: [this.#count], sizes: Uint32Array.of(size) };
    this.#out.length = 0;
    this.#count = 0;
    return parts;
  }
}

/** The facts of some records in their order; their bytes are copies. */
export function readFacts({ buffer, rows: [count = 0], sizes }: RowParts): Fact[] {
  const reader = new PackReader(new Uint8Array(buffer.slice(0, sizes[0] ?? 0)));
  reader.at = 0;
  return Array.from({ length: count }, () => {
    const type = TYPES[reader.u8()];
    const position = reader.u32();
    if (type === 'state') return readState(reader, position);
    return type === 'transfer' ? readTransfer(reader, position) : readCode(reader, position);
  });
}

function writeState(out: GrowableBytes, fact: StateFact): void {
  writeAccount(out, fact.account);
  writeU64(out, fact.lt);
  writeU32(out, fact.now);
  writeBlob(out, fact.cells.shown);
  writeBlob(out, fact.cells.absent);
  const { token, contract } = fact;
  writeU8(
    out,
    token === null ? NO_TOKEN : token === 'hidden' ? HIDDEN : FIRST_KIND + TOKEN_KINDS.indexOf(token.kind),
  );
  writeContract(out, contract);
  writeBytes(out, fact.codeHash);
  writeBytes(out, fact.dataHash);
  if (token !== null && token !== 'hidden') writeToken(out, token);
}

function readState(reader: PackReader, position: number): StateFact {
  const account = readAccount(reader);
  const lt = reader.u64();
  const now = reader.u32();
  const cells = { shown: readBlob(reader), absent: readBlob(reader) };
  const kind = reader.u8();
  const contract = readContract(reader);
  const head = { type: 'state', position, account, lt, now, cells, contract } as const;
  const codeHash = reader.chunk(32);
  const dataHash = reader.chunk(32);
  if (kind < FIRST_KIND) return { ...head, codeHash, dataHash, token: kind === HIDDEN ? 'hidden' : null };
  return { ...head, codeHash, dataHash, token: readToken(reader, kind - FIRST_KIND) };
}

function writeContract(out: GrowableBytes, contract: ShownContract): void {
  const isShown = contract !== null && typeof contract === 'object';
  writeU8(out, isShown ? SHOWN : CONTRACTS.indexOf(contract as null));
  if (!isShown) return;
  writeU32(out, contract.codeDepth);
  writeBlob(out, contract.data);
}

function readContract(reader: PackReader): ShownContract {
  const form = reader.u8();
  return form === SHOWN
    ? { codeDepth: reader.u32(), data: readBlob(reader) }
    : (CONTRACTS[form] as ShownContract);
}

function writeToken(out: GrowableBytes, token: TokenState): void {
  writeAmount(out, BigInt.asUintN(256, token.amount));
  writeU8(out, token.flag ? 1 : 0);
  writeOptional(out, token.owner);
  writeOptional(out, token.parent);
  writeBytes(out, token.childCode);
  const { content } = token;
  writeU8(out, content === null ? 0 : content.json === null ? 1 : 2);
  if (content) {
    writeBytes(out, content.hash);
    if (content.json !== null) writeBlob(out, Buffer.from(content.json));
  }
  writeBlob(out, Buffer.from(token.link));
}

function readToken(reader: PackReader, kind: number): TokenState {
  const amount = reader.amount();
  const flag = reader.u8() === 1;
  const owner = readOptional(reader);
  const parent = readOptional(reader);
  const childCode = reader.chunk(32);
  const has = reader.u8();
  const hash = has > 0 ? reader.chunk(32) : null;
  const json = has === 2 ? Buffer.from(readBlob(reader)).toString('utf8') : null;
  return {
    kind: TOKEN_KINDS[kind] as TokenState['kind'],
    amount: amount === NO_INDEX ? -1n : amount,
    flag,
    owner,
    parent,
    childCode,
    content: hash && { hash, json },
    link: Buffer.from(readBlob(reader)).toString('utf8'),
  };
}

function writeTransfer(out: GrowableBytes, fact: TransferFact): void {
  writeU8(out, MOVE_KINDS.indexOf(fact.kind));
  writeAccount(out, fact.account);
  writeU64(out, fact.lt);
  writeBytes(out, fact.hash);
  writeU32(out, fact.now);
  writeU8(out, fact.isAborted ? 1 : 0);
  writeOptional(out, fact.source);
  writeU64(out, fact.queryId);
  writeAmount(out, fact.amount);
  writeNamed(out, fact.destination);
  writeNamed(out, fact.response);
  writeAmount(out, fact.forwardAmount);
  writeBlob(out, fact.customPayload);
  writeBlob(out, fact.forwardPayload);
}

function readTransfer(reader: PackReader, position: number): TransferFact {
  return {
    type: 'transfer',
    position,
    kind: MOVE_KINDS[reader.u8()] as TransferFact['kind'],
    account: readAccount(reader),
    lt: reader.u64(),
    hash: reader.chunk(32),
    now: reader.u32(),
    isAborted: reader.u8() === 1,
    source: readOptional(reader),
    queryId: reader.u64(),
    amount: reader.amount(),
    destination: readNamed(reader),
    response: readNamed(reader),
    forwardAmount: reader.amount(),
    customPayload: readBlob(reader),
    forwardPayload: readBlob(reader),
  };
}

function writeCode(out: GrowableBytes, { codeHash, methods }: CodeFact): void {
  writeBytes(out, codeHash);
  writeU32(out, methods.length);
  for (const id of methods) writeU32(out, id);
}

function readCode(reader: PackReader, position: number): CodeFact {
  const codeHash = reader.chunk(32);
  const methods = Array.from({ length: reader.u32() }, () => reader.u32());
  return { type: 'code', position, codeHash, methods };
}

function writeU8(out: GrowableBytes, value: number): void {
  const at = out.grow(1);
  out.bytes[at] = value;
}

function writeU64(out: GrowableBytes, value: bigint): void {
  const at = out.grow(8);
  out.view.setBigUint64(at, value, true);
}

function writeBlob(out: GrowableBytes, bytes: Uint8Array): void {
  writeU32(out, bytes.length);
  writeBytes(out, bytes);
}

function readBlob(reader: PackReader): Uint8Array {
  return reader.chunk(reader.u32());
}

function writeAccount(out: GrowableBytes, { workchain, address }: AccountAddress): void {
  const at = out.grow(4);
  out.view.setInt32(at, workchain, true);
  writeBytes(out, address);
}

function readAccount(reader: PackReader): AccountAddress {
  return { workchain: reader.i32(), address: reader.chunk(32) };
}

function writeOptional(out: GrowableBytes, account: AccountAddress | null): void {
  writeU8(out, account ? ACCOUNT : NO_ADDRESS);
  if (account) writeAccount(out, account);
}

function readOptional(reader: PackReader): AccountAddress | null {
  return reader.u8() === ACCOUNT ? readAccount(reader) : null;
}

function writeNamed(out: GrowableBytes, address: NamedAddress): void {
  if (typeof address === 'string') writeU8(out, FIRST_UNNAMED + UNNAMED_ADDRESSES.indexOf(address));
  else writeOptional(out, address);
}

function readNamed(reader: PackReader): NamedAddress {
  const form = reader.u8();
  if (form === NO_ADDRESS) return null;
  return form === ACCOUNT ? readAccount(reader) : (UNNAMED_ADDRESSES[form - FIRST_UNNAMED] as UnnamedAddress);
}
