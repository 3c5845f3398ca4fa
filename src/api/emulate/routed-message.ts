import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { serializeCell } from '../../ton/boc/serialize.ts';
import type { DetachedTransaction } from '../../ton/decode/detached-transaction.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import { MAX_EXTERNAL_BYTES, MAX_EXTERNAL_DEPTH } from '../../ton/messages/external-message.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import { loadMessage } from '../../ton/tlb/message/message.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import { HttpError } from '../http/errors/http-error.ts';

/** A message on its way to an account. */
export interface RoutedMessage {
  /** A BoC in base64. */
  readonly text: string;
  /** Hash of its cell. */
  readonly hash: Uint8Array;
  /** -1 for the external one, which is older than all. */
  readonly createdLt: bigint;
  readonly to: AccountAddress;
  /** Messages before it in its trace. */
  readonly depth: number;
}

/** The external message of a bag of cells. @throws HttpError 400 no bag of cells, 500 no message to an account */
export function externalMessage(bytes: Uint8Array): RoutedMessage {
  if (bytes.length > MAX_EXTERNAL_BYTES)
    throw unfit(`at most ${MAX_EXTERNAL_BYTES} bytes, found ${bytes.length}`);
  try {
    const boc = parseBoc(bytes, { maxDepth: MAX_EXTERNAL_DEPTH });
    const root = onlyRoot(boc);
    const { info } = loadWholeCell(boc, root, 'Message', loadMessage);
    if (info.kind !== 'ext_in') throw unfit(`an external message is needed, found ${info.kind}`);
    const { dest } = info;
    if (dest.kind !== 'std' || dest.anycast) throw unfit('a standard address is needed');
    const to = { workchain: dest.workchain, address: dest.address };
    const hash = new CellHashes(boc).hash(root).slice();
    return { text: toBase64(serializeCell(boc, root)), hash, createdLt: -1n, to, depth: 0 };
  } catch (error) {
    if (error instanceof BocError) throw new HttpError(400, `invalid request: invalid boc: ${error.message}`);
    if (error instanceof CellError) throw unfit(error.message);
    throw error;
  }
}

function unfit(why: string): HttpError {
  return new HttpError(500, `Can't deserialize message boc: ${why}`);
}

/** The messages to accounts that a transaction sent. @throws CellError */
export function routedMessages(sender: DetachedTransaction, depth: number): RoutedMessage[] {
  return sender.transaction.outMsgs.flatMap((cell) => {
    const { kind, destination, hash, createdLt } = sender.message(cell);
    if (kind !== 'internal' || destination.kind !== 'std') return [];
    const to = { workchain: destination.workchain, address: destination.hash };
    return [{ text: toBase64(sender.messageBag(cell)), hash, createdLt, to, depth }];
  });
}
