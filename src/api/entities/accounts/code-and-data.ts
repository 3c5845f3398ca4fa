import { onlyRoot, parseBoc } from '../../../ton/boc/boc.ts';
import { CellHashes } from '../../../ton/boc/cell-hashes.ts';
import { CellSlice } from '../../../ton/boc/cell-slice.ts';
import { serializeCell } from '../../../ton/boc/serialize.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { loadAccount } from '../../../ton/tlb/account/account.ts';
import type { ReadScope } from '../../query/scope.ts';
import { cellKey, joinBags, readCompleteCells } from './cell-index.ts';
import type { AccountStateRow } from './model.ts';
import { ZERO_HASH } from './none-account.ts';

/** Code and data of an account as bags of cells; empty if absent or incomplete. */
export interface CodeAndData {
  readonly code: Uint8Array;
  readonly data: Uint8Array;
}

/** The hashes that code and data must have, base64. */
export type CodeAndDataHashes = Pick<AccountStateRow, 'code_hash' | 'data_hash'>;

const NOTHING = new Uint8Array(0);

/** An account whose code and data are wanted, and bags that may have them. */
export interface WantedCode {
  readonly wanted: CodeAndDataHashes;
  readonly bags: readonly Uint8Array[];
}

/** Code and data of accounts, in their order: from their bags, and what these leave out from the rest of the index. */
export async function resolveCodeAndData(
  scope: ReadScope,
  accounts: readonly WantedCode[],
): Promise<readonly CodeAndData[]> {
  const found = accounts.map(({ wanted, bags }) => codeAndData(bags, wanted));
  const lacking = accounts.flatMap(({ wanted, bags }, i) => {
    const { code, data } = found[i] as CodeAndData;
    const hashes = [...lacks(code, wanted.code_hash), ...lacks(data, wanted.data_hash)];
    return hashes.length > 0 ? [{ hashes, bags }] : [];
  });
  if (lacking.length === 0) return found;
  const keys = lacking.flatMap(({ hashes }) => hashes.map(cellKey));
  const cells = await readCompleteCells(
    scope,
    keys,
    lacking.flatMap(({ bags }) => bags),
  );
  const getBag = (own: Uint8Array, hash: string) => {
    const cell = own.length === 0 ? cells.get(cellKey(hash)) : undefined;
    return cell ? writeBag(cell, { index: false }) : own;
  };
  return found.map(({ code, data }, i) => {
    const { wanted } = accounts[i] as WantedCode;
    return { code: getBag(code, wanted.code_hash), data: getBag(data, wanted.data_hash) };
  });
}

/** Code and data of an account from bags that may have them; null if some of them is missing there. */
export function findWithin({ wanted, bags }: WantedCode): CodeAndData | null {
  const { code, data } = codeAndData(bags, wanted);
  const keys = [...lacks(code, wanted.code_hash), ...lacks(data, wanted.data_hash)].map(cellKey);
  if (keys.length === 0) return { code, data };
  const cells = joinBags(bags, keys);
  const fill = (part: Uint8Array, hash: string) => {
    if (part.length > 0 || hash === ZERO_HASH) return part;
    const cell = cells.resolve(cellKey(hash));
    return cell && writeBag(cell, { index: false });
  };
  const found = { code: fill(code, wanted.code_hash), data: fill(data, wanted.data_hash) };
  return found.code && found.data ? { code: found.code, data: found.data } : null;
}

function lacks(part: Uint8Array, hash: string): string[] {
  return part.length === 0 && hash !== ZERO_HASH ? [hash] : [];
}

/** The code and the data with these hashes, from whichever of the account cells has all of each. */
export function codeAndData(accounts: readonly Uint8Array[], wanted: CodeAndDataHashes): CodeAndData {
  let code: Uint8Array | null = null;
  let data: Uint8Array | null = null;
  for (const bytes of accounts) {
    const boc = parseBoc(bytes);
    const hashes = new CellHashes(boc);
    // Level 0: nothing of the cell is left out. A Merkle proof that is part of the data has pruned branches of its own.
    const part = (cell: number, hash: string) =>
      cell >= 0 && boc.levelMask[cell] === 0 && toBase64(hashes.hash(cell)) === hash
        ? serializeCell(boc, cell)
        : null;
    const account = loadAccount(new CellSlice(boc, onlyRoot(boc)));
    if (account?.state.status !== 'active') continue;
    code ??= part(account.state.init.code, wanted.code_hash);
    data ??= part(account.state.init.data, wanted.data_hash);
  }
  return { code: code ?? NOTHING, data: data ?? NOTHING };
}
