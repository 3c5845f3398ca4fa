import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellHashes } from '../../ton/boc/cell-hashes.ts';
import { normalisedHash } from '../../ton/decode/normalised-hash.ts';
import { MAX_EXTERNAL_BYTES } from '../../ton/messages/external-message.ts';
import { loadMessage } from '../../ton/tlb/message/message.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import type { SendOutcome } from '../chain-port.ts';
import { HttpError, OverloadedError } from '../http/errors/http-error.ts';
import type { ServeContext } from '../serve-context.ts';
import { needChain, noOutlet } from './need-chain.ts';
import { invalidBag } from './request-cell.ts';

/** The hashes of a message that was sent. */
export interface SentMessage {
  /** Hash of the sent cell. */
  readonly hash: Uint8Array;
  /** Hash of the message in its normal form (TEP-467). */
  readonly hashNorm: Uint8Array;
}

/**
 * Hands an external message to the source.
 * @throws HttpError 400 no bag of cells, 500 refused, 503 the chain has no block yet, 542 the source takes none
 */
export async function sendMessage(context: ServeContext, boc: Uint8Array): Promise<SentMessage> {
  const { outlet } = needChain(context);
  if (outlet === null) throw noOutlet();
  // A larger one is refused before its cells are read.
  if (boc.length > MAX_EXTERNAL_BYTES)
    throw refusal(`at most ${MAX_EXTERNAL_BYTES} bytes, found ${boc.length}`);
  const sent = readMessage(boc);
  const outcome = await outlet.send(boc);
  // A message that is sent again has been sent.
  if (!outcome.ok && outcome.problem !== 'known') throw sendError(outcome);
  return sent;
}

function readMessage(bytes: Uint8Array): SentMessage {
  try {
    const boc = parseBoc(bytes);
    const root = onlyRoot(boc);
    const hashes = new CellHashes(boc);
    const { info, body } = loadWholeCell(boc, root, 'Message', loadMessage);
    if (info.kind !== 'ext_in') throw refusal(`an external message is needed, found ${info.kind}`);
    return { hash: hashes.hash(root).slice(), hashNorm: normalisedHash(boc, hashes, root, body) };
  } catch (error) {
    if (error instanceof BocError) throw invalidBag(error.message);
    if (error instanceof CellError) throw refusal(error.message);
    throw error;
  }
}

function sendError({ problem, detail, exitCode }: Extract<SendOutcome, { ok: false }>): HttpError {
  if (problem === 'boc') return invalidBag(detail);
  // Like an overload it passes: 503 with Retry-After.
  if (problem === 'not_ready') return new OverloadedError(`LITE_SERVER_NOTREADY: ${detail}`);
  return refusal(exitCode === null ? detail : `${detail}, exitcode=${exitCode}`);
}

function refusal(why: string): HttpError {
  return new HttpError(500, `LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${why}`);
}
