import { UsageError } from '../../platform/errors/error-kinds.ts';
import { fromHex } from '../../ton/hash/hex.ts';
import { type BlockIdExt, MASTERCHAIN, WHOLE_SHARD } from '../block-id.ts';

/** Where a new index begins: at the head, at a masterchain block, or at the first one of a time (Unix seconds). */
export type StartPoint =
  | { readonly kind: 'now' }
  | { readonly kind: 'seqno'; readonly seqno: number }
  | { readonly kind: 'time'; readonly utime: number };

/** `--from` or `--trusted-block` cannot be read, or contradicts other settings. */
export class StartPointError extends UsageError {
  constructor(setting: string, text: string, allowed: string) {
    super(`${setting} ${JSON.stringify(text)}: allowed are ${allowed}`);
  }
}

/** True if the text is a masterchain seqno in decimal. */
export function isMasterchainSeqno(text: string): boolean {
  return /^\d{1,10}$/.test(text) && Number(text) < 2 ** 32;
}

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?Z)?$/;

/**
 * Reads `--from`: `now`, a masterchain seqno, or a time in UTC such as 2026-11-28 or 2026-11-28T10:00:00Z.
 * @throws StartPointError
 */
export function parseStartPoint(text: string): StartPoint {
  if (text === 'now') return { kind: 'now' };
  if (isMasterchainSeqno(text)) return { kind: 'seqno', seqno: Number(text) };
  const time = TIME.test(text) ? Date.parse(text.replace(/T(\d\d:\d\d)Z$/, 'T$1:00Z')) : Number.NaN;
  if (time > 0) return { kind: 'time', utime: Math.floor(time / 1000) };
  throw new StartPointError('--from', text, 'now, a masterchain seqno, 2026-11-28 or 2026-11-28T10:00:00Z');
}

/**
 * Reads `--trusted-block`: `SEQNO:ROOTHASH:FILEHASH` of a masterchain block, hashes in hex.
 * @throws StartPointError
 */
export function parseTrustedBlock(text: string, setting = '--trusted-block'): BlockIdExt {
  const [seqno = '', root = '', file = '', ...rest] = text.split(':');
  const [rootHash, fileHash] = [fromHex(root), fromHex(file)];
  if (!isMasterchainSeqno(seqno) || rootHash?.length !== 32 || fileHash?.length !== 32 || rest.length > 0)
    throw new StartPointError(setting, text, 'SEQNO:ROOTHASH:FILEHASH of a masterchain block, in hex');
  return { workchain: MASTERCHAIN, shard: WHOLE_SHARD, seqno: Number(seqno), rootHash, fileHash };
}
