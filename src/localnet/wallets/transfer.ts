import type { Cell } from '../../ton/cell/cell.ts';
import { cellWith } from '../../ton/cell/cell-builder.ts';
import { externalMessage } from '../../ton/messages/external-message.ts';
import { storeMessageRelaxed } from '../../ton/messages/message-relaxed.ts';
import type { OutMessage } from '../../ton/messages/out-list.ts';
import { signedRequest, unsignedRequest, type WalletGeneration } from '../../ton/messages/wallet-request.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { stateInitCell } from '../../ton/store/store-state-init.ts';
import type { Wallet } from './wallet.ts';

/** One message that a wallet is asked to send. */
export interface Transfer {
  readonly to: AccountAddress;
  readonly value: bigint;
  readonly bounce: boolean;
  /** Empty by default. */
  readonly body?: Cell;
  readonly stateInit?: { readonly code: Cell; readonly data: Cell };
  /** Default 3: fees apart, errors ignored. */
  readonly mode?: number;
}

/** Fields of a wallet's signed message in addition to its transfers. */
export interface TransferOptions {
  readonly seqno: number;
  /** Unix time after which the wallet refuses it. */
  readonly validUntil: number;
  /** Deploys the wallet with it. Default false. */
  readonly deploy?: boolean;
}

const PAY_FEES_SEPARATELY_IGNORE_ERRORS = 3;

/** The external message by which a wallet sends: up to four transfers (v3, v4), up to 255 (v5). */
export function walletMessage(
  { version, walletId, key, address, code, data }: Wallet,
  transfers: readonly Transfer[],
  { seqno, validUntil, deploy = false }: TransferOptions,
): Cell {
  const generation = Number(version[1]) as WalletGeneration;
  const request = { walletId, validUntil, seqno, messages: transfers.map(outMessage) };
  const unsigned = unsignedRequest(generation, request);
  const body = signedRequest(generation, unsigned, key.sign(unsigned.hash()));
  return externalMessage(address, { ref: body }, deploy ? stateInitCell(code, data) : null);
}

/** The message as the wallet passes it on. */
export function outMessage({ to, value, bounce, body, stateInit, mode }: Transfer): OutMessage {
  const init = stateInit ? stateInitCell(stateInit.code, stateInit.data) : null;
  const message = cellWith(storeMessageRelaxed, { to, value, bounce, body: body ?? null, init });
  return { mode: mode ?? PAY_FEES_SEPARATELY_IGNORE_ERRORS, message };
}
