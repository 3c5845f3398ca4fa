import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { fromHex, toHex } from '../../ton/hash/hex.ts';
import { type BlockIdExt, MASTERCHAIN, sameBlock, WHOLE_SHARD } from '../block-id.ts';

const FILE = 'key-block.json';

const hash = z.string().transform((text, context) => {
  const bytes = fromHex(text);
  if (bytes?.length === 32) return bytes;
  context.addIssue({ code: 'custom', message: 'not 64 hex digits' });
  return z.NEVER;
});
const record = z.object({ seqno: z.int().min(0), root_hash: hash, file_hash: hash, trusted: z.string() });

/**
 * The newest verified key block in the data directory: a restart continues its proofs from there. `trusted` is the block
 * that the operator or the configuration vouches for. If that is changed, the record does not count.
 */
export class KnownKeyBlock {
  private readonly path: string;
  private readonly trusted: BlockIdExt;

  constructor(directory: string, trusted: BlockIdExt) {
    this.path = join(directory, FILE);
    this.trusted = trusted;
  }

  /** The recorded block, or the trusted one. A damaged record is the same as none. */
  read(): BlockIdExt {
    try {
      const text = readFileSync(this.path, 'utf8');
      const { seqno, root_hash, file_hash, trusted } = record.parse(JSON.parse(text));
      if (trusted !== this.key) return this.trusted;
      return {
        workchain: MASTERCHAIN,
        shard: WHOLE_SHARD,
        seqno,
        rootHash: root_hash,
        fileHash: file_hash,
      };
    } catch {
      return this.trusted;
    }
  }

  /** Replaces the record at once: a crash leaves the old one or the new one. */
  write(id: BlockIdExt): void {
    if (sameBlock(id, this.trusted)) return;
    const value = {
      seqno: id.seqno,
      root_hash: toHex(id.rootHash),
      file_hash: toHex(id.fileHash),
      trusted: this.key,
    };
    const draft = `${this.path}.new`;
    writeFileSync(draft, `${JSON.stringify(value)}\n`);
    renameSync(draft, this.path);
  }

  private get key(): string {
    return `${this.trusted.seqno}:${toHex(this.trusted.rootHash)}:${toHex(this.trusted.fileHash)}`;
  }
}
