import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellsOfBag } from '../../ton/cell/cells-of-bag.ts';
import { MAX_EXTERNAL_BYTES, MAX_EXTERNAL_DEPTH } from '../../ton/messages/external-message.ts';
import { loadMessage } from '../../ton/tlb/message/message.ts';
import { loadWholeCell } from '../../ton/tlb/whole-cell.ts';
import type { ExternalMessage } from '../collate/external-message.ts';

/**
 * Why a message is refused: `boc` not a bag of cells, `message` not a message, `external` not an external message,
 * `destination` not an account that localnet can have, `size` too large or deep, `known` already waiting, `refused` by
 * its account.
 */
export type SendProblem = 'boc' | 'message' | 'external' | 'destination' | 'size' | 'known' | 'refused';

/** A message that is not taken. */
export interface SendFailure {
  readonly ok: false;
  readonly problem: SendProblem;
  readonly detail: string;
  /** Exit code of the TVM, if it ran; only with `refused`. */
  readonly exitCode: number | null;
}

export function failure(problem: SendProblem, detail: string, exitCode: number | null = null): SendFailure {
  return { ok: false, problem, detail, exitCode };
}

/** Reads an external message from its bag of cells. */
export function parseExternal(bytes: Uint8Array): (ExternalMessage & { readonly ok: true }) | SendFailure {
  if (bytes.length > MAX_EXTERNAL_BYTES)
    return failure('size', `at most ${MAX_EXTERNAL_BYTES} bytes, found ${bytes.length}`);
  try {
    const boc = parseBoc(bytes, { maxDepth: MAX_EXTERNAL_DEPTH });
    const root = onlyRoot(boc);
    const { info } = loadWholeCell(boc, root, 'Message', loadMessage);
    if (info.kind !== 'ext_in')
      return failure('external', `an external message is needed, found ${info.kind}`);
    const { dest } = info;
    if (dest.kind !== 'std' || dest.anycast) return failure('destination', 'a standard address is needed');
    const { workchain, address } = dest;
    if (workchain !== 0 && workchain !== -1)
      return failure('destination', `workchain 0 or -1 is needed, found ${workchain}`);
    return { ok: true, cell: new CellsOfBag(boc).cell(root), dest: { workchain, address } };
  } catch (error) {
    if (error instanceof BocError) return failure(error.code === 'depth' ? 'size' : 'boc', error.message);
    if (error instanceof CellError) return failure('message', error.message);
    throw error;
  }
}
