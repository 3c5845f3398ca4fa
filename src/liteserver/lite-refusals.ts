import { LiteServerError } from '../liteapi/lite-errors.ts';
import { blockName } from '../ton/decode/block-error.ts';

type NamedBlock = { readonly workchain: number; readonly shard: bigint; readonly seqno: number };

/** Codes of the reference server: `ErrorCode` of common/errorcode.h. */
const NOT_READY = 651;
const TIMEOUT = 652;
const PROTOCOL_VIOLATION = 621;
const BAD_REQUEST = -400;

/** The block is unknown to the server, or not yet known. */
export function noBlock(what: string): LiteServerError {
  return new LiteServerError(NOT_READY, `${what} is not in db`);
}

/** The server keeps the block and no longer, or never, its state. */
export function noState(id: NamedBlock): LiteServerError {
  return new LiteServerError(
    NOT_READY,
    `state of ${blockName(id)} is not kept by this server (already gc'd)`,
  );
}

/** The account came from another network after the block that was asked for. */
export function loadedLater(account: string, mcSeqno: number): LiteServerError {
  return new LiteServerError(
    NOT_READY,
    `account ${account} is loaded by masterchain block ${mcSeqno}: ask for this block or a later one`,
  );
}

/** The other network did not deliver the account: nothing follows about it. */
export function notLoaded(detail: string): LiteServerError {
  return new LiteServerError(NOT_READY, detail);
}

/** The masterchain block did not come in time. */
export function waitTimeout(seqno: number): LiteServerError {
  return new LiteServerError(TIMEOUT, `timeout waiting for masterchain block ${seqno}`);
}

/** The parameters are not those of a block, account or list that can be answered. */
export function badRequest(text: string): LiteServerError {
  return new LiteServerError(PROTOCOL_VIOLATION, text);
}

/** The server does not do that. */
export function unsupported(text: string): LiteServerError {
  return new LiteServerError(BAD_REQUEST, text);
}
