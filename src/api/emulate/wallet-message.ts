import { serializeCell } from '../../ton/boc/serialize.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { cellWith } from '../../ton/cell/cell-builder.ts';
import { CellOverflowError } from '../../ton/cell/cell-overflow-error.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { externalMessage } from '../../ton/messages/external-message.ts';
import { storeMessageRelaxed } from '../../ton/messages/message-relaxed.ts';
import type { OutMessage } from '../../ton/messages/out-list.ts';
import { signedRequest, unsignedRequest, type WalletGeneration } from '../../ton/messages/wallet-request.ts';
import { type WalletFacts, walletFacts } from '../chain/wallet-contracts.ts';
import { HttpError } from '../http/errors/http-error.ts';
import type { EmulatedAccount } from './emulated-account.ts';
import { invalid } from './request-fields.ts';
import type { RequestedMessage, TonConnectRequest } from './ton-connect-request.ts';

/** Fees apart, errors ignored. */
const SEND_MODE = 3;
/** Never: v3 wallets are not given the request's time. */
const NO_EXPIRY = 0xffff_ffff;
/** All zeros: it is not checked. */
const SIGNATURE = new Uint8Array(64);

/**
 * The unsigned external message by which the wallet of an account would send a request's messages, with an inline body
 * (v3-rules.md 1.1). `validUntil`: Unix seconds.
 * @throws HttpError 500 unsupported wallet, 400 more messages than the wallet's limit
 */
export function walletMessage(
  account: EmulatedAccount,
  { from, messages }: TonConnectRequest,
  validUntil: number,
): Cell {
  const body = bodyFor(getWallet(account), messages, validUntil);
  try {
    return externalMessage(from, { inline: body });
  } catch (error) {
    if (error instanceof CellOverflowError) throw invalid(`the messages do not fit: ${error.message}`);
    throw error;
  }
}

function getWallet({ state, cells }: EmulatedAccount): WalletFacts {
  if (!state?.codeHash || !state.dataHash || !cells)
    throw new HttpError(500, 'Account state no code or no data');
  const facts = walletFacts(toBase64(state.codeHash), serializeCell(cells.boc, cells.data));
  if (!facts) throw new HttpError(500, 'Account is not a known wallet');
  return facts;
}

function bodyFor(wallet: WalletFacts, messages: readonly RequestedMessage[], validUntil: number): Cell {
  const [, generation] = /^wallet v(\d) r\d$/.exec(wallet.wallet_type) ?? [];
  switch (generation) {
    case '1':
    case '2':
      throw new HttpError(500, `Unsupported wallet type: ${generation}`);
    case '3':
      return requestBody(3, wallet, messages, NO_EXPIRY);
    case '4':
      return requestBody(4, wallet, messages, validUntil);
    case '5':
      return requestBody(5, wallet, messages, validUntil);
    default:
      throw new HttpError(500, 'Account is not a known wallet');
  }
}

function requestBody(
  generation: WalletGeneration,
  { wallet_id: walletId = 0, seqno = 0 }: WalletFacts,
  messages: readonly RequestedMessage[],
  validUntil: number,
): Cell {
  const request = { walletId, validUntil, seqno, messages: messages.map(outMessage) };
  return signedRequest(generation, unsignedRequest(generation, request), SIGNATURE);
}

function outMessage({ to, bounce, amount, payload, stateInit }: RequestedMessage): OutMessage {
  const fields = { to, value: amount, bounce, body: payload, init: stateInit };
  return { mode: SEND_MODE, message: cellWith(storeMessageRelaxed, fields) };
}
