import type { Boc } from '../../ton/boc/boc.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import type { Money } from '../../ton/currencies/money.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadMessage } from '../../ton/tlb/message/message.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { LocalnetError } from '../localnet-error.ts';
import { standardAddress } from './standard-address.ts';

/** An internal message that a transaction sent. */
export interface OutMessage {
  readonly kind: 'internal';
  readonly cell: Cell;
  readonly hash: Uint8Array;
  readonly source: AccountAddress;
  readonly dest: AccountAddress;
  readonly value: Money;
  readonly fwdFee: bigint;
  readonly createdLt: bigint;
  readonly bounce: boolean;
  /** Whether it brings the code of its destination along. */
  readonly hasInit: boolean;
}

/** A message to the world outside. */
export interface ExternalOut {
  readonly kind: 'ext_out';
  readonly cell: Cell;
  readonly hash: Uint8Array;
}

/** Reads a message that a transaction sent. Since version 12 `ihr_fee` holds flags and is no part of the value. */
export function readOutMessage(boc: Boc, index: number, cell: Cell): OutMessage | ExternalOut {
  const { info, init } = loadWholeCell(boc, index, 'Message', loadMessage);
  const hash = cell.hash();
  if (info.kind === 'ext_out') return { kind: 'ext_out', cell, hash };
  if (info.kind !== 'internal') throw new LocalnetError('message', 'one that a transaction sends', info.kind);
  const { value, fwdFee, createdLt, bounce } = info;
  const [source, dest] = [standardAddress(info.src), standardAddress(info.dest)];
  const hasInit = init !== null;
  return { kind: 'internal', cell, hash, source, dest, value, fwdFee, createdLt, bounce, hasInit };
}
