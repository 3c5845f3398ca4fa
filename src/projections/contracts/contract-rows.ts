import type { RowMaker, RowStart } from '../../engine/projection/row-maker.ts';
import type { RowParts, RowSet } from '../../engine/projection/row-set.ts';
import { isKnownLayout } from '../../ton/contracts/known-layouts.ts';
import type { TokenKind, TokenState } from '../../ton/contracts/token-state.ts';
import { isUnknownCode } from '../../ton/contracts/unknown-code.ts';
import { toAccountName } from '../../ton/store/store-address.ts';
import type { TokenRow } from '../tokens/token-row.ts';
import { ContractStates } from './contract-states.ts';
import { ContractTables } from './contract-tables.ts';
import type { Fact, StateFact, TransferFact } from './fact.ts';
import { KnownAbsent } from './known-absent.ts';
import { KnownAccounts } from './known-accounts.ts';
import { type IsOwn, ownPart } from './own-part.ts';
import { readFacts } from './pack-facts.ts';

/** Kind of the contract that a message of a kind moves tokens of. */
const RECEIVERS: Readonly<Record<TransferFact['kind'], TokenKind>> = {
  jetton_transfer: 'jetton_wallet',
  jetton_burn: 'jetton_wallet',
  nft_transfer: 'nft_item',
  jetton_mint: 'jetton_wallet',
};

const toHexText = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
/** An account without code. */
const NO_CODE = '0'.repeat(64);
const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Token contracts of one partition, and what moved their tokens. */
export class ContractMaker implements RowMaker {
  readonly known: KnownAccounts;
  readonly absent: KnownAbsent;
  readonly #start: RowStart;
  readonly #isOwn: IsOwn;
  /** Facts that were read ahead of `append`. */
  readonly #read = new WeakMap<RowParts, readonly Fact[]>();

  constructor(start: RowStart) {
    this.#start = start;
    this.#isOwn = ownPart(start);
    this.known = new KnownAccounts(start);
    this.absent = new KnownAbsent(start);
  }

  createRowSet = (): RowSet => new ContractRows(this, this.#start.partition);

  async prepare(parts: readonly RowParts[]): Promise<void> {
    const accounts: string[] = [];
    const codes: string[] = [];
    const partial: string[] = [];
    for (const part of parts)
      for (const fact of this.facts(part)) {
        if (fact.type === 'code') codes.push(toHexText(fact.codeHash));
        else accounts.push(toAccountName(fact.account));
        if (fact.type === 'state' && fact.cells.absent.length > 0) partial.push(toAccountName(fact.account));
      }
    await this.known.load(accounts, codes);
    if (partial.length > 0) await this.absent.load(partial);
  }

  confirmed(position: number): void {
    this.known.confirmed(position);
    this.absent.confirmed(position);
  }

  /** Facts of this partition by position: in a step, codes and states come before transfers. */
  facts(parts: RowParts): readonly Fact[] {
    const read = this.#read.get(parts);
    if (read) return read;
    const own = readFacts(parts)
      .filter((fact) => this.#isOwn(fact.type === 'code' ? fact.codeHash : fact.account.address))
      .sort((a, b) => a.position - b.position);
    this.#read.set(parts, own);
    return own;
  }
}

class ContractRows implements RowSet {
  readonly tables: ContractTables['all'];
  readonly #tables: ContractTables;
  readonly #known: KnownAccounts;
  readonly #contracts: ContractStates;
  readonly #maker: ContractMaker;
  #position: number | null = null;
  /** Transfers of the current step: whether a receiver is a wallet or item is known after its states. */
  #transfers: TransferFact[] = [];
  #states: StateFact[] = [];

  constructor(maker: ContractMaker, partition: number) {
    this.#maker = maker;
    this.#known = maker.known;
    this.#tables = new ContractTables(partition);
    this.tables = this.#tables.all;
    this.#contracts = new ContractStates(maker.known.contracts, this.#tables);
  }

  append(parts: RowParts): void {
    for (const fact of this.#maker.facts(parts)) {
      if (this.#position !== null && fact.position !== this.#position) this.endStep();
      this.#position = fact.position;
      if (fact.type === 'transfer') this.#transfers.push(fact);
      else if (fact.type === 'state') {
        this.#states.push(fact);
        this.#addCells(fact);
        this.#addState(fact);
      } else if (this.#known.isNewCode(toHexText(fact.codeHash), fact.position)) this.#tables.addCode(fact);
    }
  }

  endStep(): void {
    const open: TransferFact[] = [];
    for (const fact of this.#transfers) {
      const token = this.#known.tokens.get(toAccountName(fact.account));
      if (token?.kind === RECEIVERS[fact.kind]) this.#tables.addMove(fact, token);
      else open.push(fact);
    }
    if (open.length > 0) this.#addOpen(open);
    this.#empty();
  }

  /** Transfers to receivers that cells do not identify: get methods may identify them as wallets or items. */
  #addOpen(transfers: readonly TransferFact[]): void {
    const codes = new Map(this.#states.map(({ account, codeHash }) => [toAccountName(account), codeHash]));
    for (const fact of transfers) {
      const codeHash = codes.get(toAccountName(fact.account));
      if (codeHash && mayBeToken(codeHash, fact)) this.#tables.addMove(fact, { codeHash });
    }
  }

  #empty(): void {
    this.#transfers = [];
    this.#states = [];
    this.#position = null;
  }

  reset(): void {
    this.#tables.reset();
    this.#empty();
  }

  #addCells(fact: StateFact): void {
    this.#tables.addPlaces(fact);
    const { absent } = fact.cells;
    for (let at = 0; at < absent.length; at += 32) {
      const hash = absent.subarray(at, at + 32);
      if (this.#maker.absent.isNew(toAccountName(fact.account), toHexText(hash), fact.position))
        this.#tables.addAbsent(fact, hash);
    }
  }

  #addState(fact: StateFact): void {
    const own = this.#contracts.add(fact);
    const before = this.#known.tokens.get(toAccountName(fact.account));
    // A state from before the index, of an account whose later ones are known.
    if (before && fact.lt <= before.lt) return;
    const token = own ?? fact.token;
    if (token === null) this.#endUnread(fact, before);
    else if (token === 'hidden') this.#continue(fact, before);
    else this.#change(fact, token, before);
  }

  /** Its data is not what a token's code keeps, or its code is none of a token. */
  #endUnread(fact: StateFact, before: TokenRow | undefined): void {
    // Codes that keep more than a token have been looked at.
    if (fact.contract === null && isKnownLayout(toHexText(fact.codeHash))) this.#tables.addGap(fact, 'sense');
    this.#end(fact, before);
  }

  /** The account is no token contract now. */
  #end(fact: StateFact, before: TokenRow | undefined): void {
    if (!before || before.isGone) return;
    const { position, lt, now } = fact;
    this.#add({ ...before, position, lt, isGone: true }, before, now);
  }

  /** The block omits its data: the previous data remains, if the hash is equal. */
  #continue(fact: StateFact, before: TokenRow | undefined): void {
    const isAsBefore =
      before &&
      !before.isGone &&
      isSame(before.dataHash, fact.dataHash) &&
      isSame(before.codeHash, fact.codeHash);
    const { position, lt, now } = fact;
    if (isAsBefore) this.#add({ ...before, position, lt }, before, now);
    else this.#tables.addGap(fact, 'data');
  }

  #change(fact: StateFact, token: TokenState, before: TokenRow | undefined): void {
    if (before && before.kind !== token.kind) this.#end(fact, before);
    const { position, account, lt, codeHash, dataHash } = fact;
    const since = before?.kind === token.kind && !before.isGone ? before.since : position;
    const row: TokenRow = { ...token, position, account, lt, since, codeHash, dataHash, isGone: false };
    const complete = withContent(row, before);
    if (complete.content?.json === null) this.#tables.addGap(fact, 'content');
    this.#add(complete, before?.kind === token.kind ? before : undefined, fact.now);
  }

  #add(row: TokenRow, before: TokenRow | undefined, now: number): void {
    this.#tables.tokens.add(row, before, now);
    this.#known.tokens.set(row);
  }
}

/**
 * Whether an account may be a wallet or an item by its get methods: its code is none whose data is read from cells. One without
 * code may have ended with this transaction, but not if that was aborted.
 */
function mayBeToken(codeHash: Uint8Array, { isAborted }: TransferFact): boolean {
  const hex = toHexText(codeHash);
  if (hex === NO_CODE) return !isAborted;
  return isUnknownCode(codeHash);
}

/** Content that the block leaves out is the one before, if its cell is the same. */
function withContent(row: TokenRow, before: TokenRow | undefined): TokenRow {
  if (row.content?.json !== null || !before?.content || before.kind !== row.kind) return row;
  if (!isSame(row.content.hash, before.content.hash)) return row;
  return { ...row, content: before.content, link: before.link };
}
