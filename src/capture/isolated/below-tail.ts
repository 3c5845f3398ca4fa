import type { Bus } from '../../log/port.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import { fromHex, toHex } from '../../ton/hash/hex.ts';
import { type BlockIdExt, blockIdText } from '../block-id.ts';
import { ChangedBlockError } from '../chain/chain-errors.ts';
import type { SourceBlock, Step } from '../source.ts';
import { RAW_BLOCKS } from '../step-records.ts';

/** A block whose place in the log has passed and which the log does not have. */
export class BelowTailError extends DataError {
  readonly block: string;

  constructor(block: string, origin: string, mcSeqno: number, tail: number) {
    super(
      `block ${block} in ${origin} belongs to masterchain seqno ${mcSeqno}, and the log, which ends at ${tail}, does not ` +
        'have it: isolated blocks are added in order, take a new data directory for all of them',
    );
    this.block = block;
  }
}

const READ_LIMIT = { records: 256, bytes: 1 << 25 };

/** The ids in the log, by record key. */
export async function readLoggedIds(bus: Bus): Promise<Map<string, Record<string, string>>> {
  const ids = new Map<string, Record<string, string>>();
  for (const { lane, first, next } of await bus.bounds(RAW_BLOCKS)) {
    let from = first;
    while (from < next) {
      const records = await bus.read(RAW_BLOCKS, lane, from, READ_LIMIT);
      if (records.length === 0) break;
      for (const { key, headers } of records) ids.set(key, headers);
      from = records.at(-1)!.offset + 1;
    }
  }
  return ids;
}

/**
 * That a step which the log has passed is in it: isolated blocks come with no chain that would prove it.
 * @throws BelowTailError, ChangedBlockError
 */
export function checkLogged(step: Step, logged: Map<string, Record<string, string>>, tail: number): void {
  for (const block of step.blocks) {
    const known = logged.get(blockIdText(block.id));
    if (!known) throw new BelowTailError(blockIdText(block.id), block.origin, step.mcSeqno, tail);
    if (known.file_hash === toHex(block.id.fileHash)) continue;
    throw new ChangedBlockError(loggedId(block, known), 'the log', block.id, block.origin);
  }
}

function loggedId(
  { id }: SourceBlock,
  { root_hash = '', file_hash = '' }: Record<string, string>,
): BlockIdExt {
  const none = new Uint8Array();
  return { ...id, rootHash: fromHex(root_hash) ?? none, fileHash: fromHex(file_hash) ?? none };
}
