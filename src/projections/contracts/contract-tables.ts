import type { RowSet } from '../../engine/projection/row-set.ts';
import { CODE_TABLES } from '../../tables/codes.ts';
import { MINT_TYPES } from '../../tables/transfers/jetton-mints.ts';
import { TRANSFER_TYPES } from '../../tables/transfers/token-transfers.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { packMethods } from '../../ton/contracts/codes/pack-methods.ts';
import { isContractLayout } from '../../ton/contracts/contract-layouts.ts';
import { isKnownLayout } from '../../ton/contracts/known-layouts.ts';
import { type NamedAddress, UNNAMED_ADDRESSES } from '../../ton/contracts/read-fields.ts';
import { type AccountAddress, ZERO_ADDRESS } from '../../ton/store/store-address.ts';
import type { TokenRow } from '../tokens/token-row.ts';
import { TokenTable } from '../tokens/token-table.ts';
import { addMint } from './add-mint.ts';
import { ContractStateTables } from './contract-state-tables.ts';
import {
  type CodeFact,
  type StateFact,
  TRANSFER_KINDS,
  type TransferFact,
  type TransferKind,
} from './fact.ts';

/** Numbers of `missing`; `is_unread` marks invalid data. */
const MISSING = { data: 0, content: 1, size: 2, sense: 0 } as const;

const isTransfer = (fact: TransferFact): fact is TransferFact<TransferKind> => fact.kind !== 'jetton_mint';

/** An address as its columns store it; the workchain is the number of the form if it names no account. */
function toPlace(address: NamedAddress): AccountAddress & { readonly isAccount: boolean } {
  if (typeof address !== 'string') return { ...(address ?? ZERO_ADDRESS), isAccount: address !== null };
  return {
    workchain: UNNAMED_ADDRESSES.indexOf(address) + 1,
    address: ZERO_ADDRESS.address,
    isAccount: false,
  };
}

/** The wallet or item that received a message, or the code of an account that cells do not identify. */
export type Receiver = TokenRow | Pick<TokenRow, 'codeHash'>;

/** A state of which something is missing. */
export type Gap = Pick<TokenRow, 'position' | 'account' | 'lt' | 'codeHash' | 'dataHash'>;

/** The landing tables of one batch of a partition. */
export class ContractTables {
  readonly tokens: TokenTable;
  readonly transfers = new TableBuilder('token_transfers', TRANSFER_TYPES);
  readonly mints = new TableBuilder('jetton_mints', MINT_TYPES);
  readonly codes = new TableBuilder('codes', CODE_TABLES.codes);
  readonly gaps = new TableBuilder('gaps', CODE_TABLES.gaps);
  readonly places = new TableBuilder('cell_places', CODE_TABLES.cell_places);
  readonly absent = new TableBuilder('absent_cells', CODE_TABLES.absent_cells);
  readonly contracts: ContractStateTables;
  readonly all: readonly (RowSet['tables'][number] & { reset(): void })[];
  readonly #part: number;

  constructor(part: number) {
    this.#part = part;
    this.tokens = new TokenTable(part);
    this.contracts = new ContractStateTables(part);
    this.all = [
      this.tokens.builder,
      this.transfers,
      this.mints,
      this.codes,
      this.gaps,
      this.places,
      this.absent,
      ...this.contracts.all,
    ];
  }

  reset(): void {
    for (const table of this.all) table.reset();
  }

  /** Adds a row of a message that moves tokens: a transfer, or a mint if it is one. */
  addMove(fact: TransferFact, token: Receiver): void {
    if (isTransfer(fact)) this.#addTransfer(fact, token);
    else addMint(this.mints, this.#part, fact, token);
  }

  #addTransfer(fact: TransferFact<TransferKind>, token: Receiver): void {
    const { col } = this.transfers;
    col.mc_seqno.push(fact.position);
    col.part.push(this.#part);
    col.kind.push(TRANSFER_KINDS.indexOf(fact.kind));
    col.workchain.push(fact.account.workchain);
    col.account.push(fact.account.address);
    col.lt.push(fact.lt);
    col.hash.push(fact.hash);
    col.now.push(fact.now);
    col.aborted.push(fact.isAborted);
    const detected = 'kind' in token ? token : { parent: null, childCode: token.codeHash, amount: 0n };
    const parent = detected.parent ?? ZERO_ADDRESS;
    col.has_parent.push(detected.parent !== null);
    col.parent_workchain.push(parent.workchain);
    col.parent.push(parent.address);
    col.child_code.push(detected.childCode);
    col.query_id.push(fact.queryId);
    col.amount.push(fact.kind === 'nft_transfer' ? detected.amount : fact.amount);
    this.#addParties(fact);
    col.forward_amount.push(fact.forwardAmount);
    col.custom_payload.push(fact.customPayload);
    col.forward_payload.push(fact.forwardPayload);
    this.transfers.endRow();
  }

  #addParties(fact: TransferFact): void {
    const { col } = this.transfers;
    const [source, destination, response] = [
      toPlace(fact.source),
      toPlace(fact.destination),
      toPlace(fact.response),
    ];
    col.has_source.push(source.isAccount);
    col.source_workchain.push(source.workchain);
    col.source.push(source.address);
    col.has_destination.push(destination.isAccount);
    col.destination_workchain.push(destination.workchain);
    col.destination.push(destination.address);
    col.has_response.push(response.isAccount);
    col.response_workchain.push(response.workchain);
    col.response.push(response.address);
  }

  addCode({ position, codeHash, methods }: CodeFact): void {
    const { col } = this.codes;
    col.mc_seqno.push(position);
    col.part.push(this.#part);
    col.code_hash.push(codeHash);
    const name = Buffer.from(codeHash).toString('hex');
    col.is_known.push(isKnownLayout(name) || isContractLayout(name));
    col.methods.push(packMethods(methods));
    this.codes.endRow();
  }

  addGap(gap: Gap, missing: keyof typeof MISSING): void {
    const { col } = this.gaps;
    col.mc_seqno.push(gap.position);
    col.part.push(this.#part);
    col.workchain.push(gap.account.workchain);
    col.account.push(gap.account.address);
    col.lt.push(gap.lt);
    col.code_hash.push(gap.codeHash);
    col.data_hash.push(gap.dataHash);
    col.missing.push(MISSING[missing]);
    col.is_unread.push(missing === 'sense');
    this.gaps.endRow();
  }

  /** A row for each cell that the state shows. */
  addPlaces({ position, account, lt, cells: { shown } }: StateFact): void {
    const { col } = this.places;
    const view = new DataView(shown.buffer, shown.byteOffset, shown.byteLength);
    for (let at = 0; at < shown.length; at += 32) {
      col.mc_seqno.push(position);
      col.part.push(this.#part);
      col.hash8.push(view.getBigUint64(at));
      col.workchain.push(account.workchain);
      col.account.push(account.address);
      col.lt.push(lt);
      this.places.endRow();
    }
  }

  addAbsent({ position, account, lt }: StateFact, hash: Uint8Array): void {
    const { col } = this.absent;
    col.mc_seqno.push(position);
    col.part.push(this.#part);
    col.workchain.push(account.workchain);
    col.account.push(account.address);
    col.lt.push(lt);
    col.hash.push(hash);
    this.absent.endRow();
  }
}
