import { serializeCell } from '../../ton/boc/serialize.ts';
import { toBase64 } from '../../ton/hash/base64.ts';
import type { EmulatedAccount } from './emulated-account.ts';

/** Code and data cells of states by their hash, all base64. */
export class CellTexts {
  readonly code: Record<string, string> = {};
  readonly data: Record<string, string> = {};

  /** Adds the cells of a state, each once. */
  add({ state, cells }: EmulatedAccount): void {
    if (!state || !cells) return;
    const put = (texts: Record<string, string>, hash: Uint8Array | null, cell: number) => {
      if (hash) texts[toBase64(hash)] ??= toBase64(serializeCell(cells.boc, cell));
    };
    put(this.code, state.codeHash, cells.code);
    put(this.data, state.dataHash, cells.data);
  }
}
