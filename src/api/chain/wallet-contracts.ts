import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';
import { walletLayout } from '../../ton/contracts/codes/wallet-layouts.ts';

/** Facts of a wallet by the names of TON Center. */
export interface WalletFacts {
  readonly wallet_type: string;
  /** Absent if the data is unknown. */
  readonly seqno?: number;
  readonly wallet_id?: number;
  readonly is_signature_allowed?: boolean;
}

/**
 * The facts of a wallet from the hash of its code (base64) and its data (a bag, empty if unknown); null for any other
 * contract.
 */
export function walletFacts(codeHash: string, data: Uint8Array): WalletFacts | null {
  const layout = walletLayout(codeHash);
  if (!layout) return null;
  if (data.length === 0) return { wallet_type: layout.type };
  return readData(data, (slice) => {
    const { seqno, walletId, isSignatureAllowed } = layout.read(slice);
    return {
      wallet_type: layout.type,
      seqno,
      ...(walletId !== undefined && { wallet_id: walletId }),
      ...(isSignatureAllowed !== undefined && { is_signature_allowed: isSignatureAllowed }),
    };
  });
}

/** `account_state` of getExtendedAddressInformation with its `revision` (v2-endpoints.md section 7). */
export interface ExtendedState {
  readonly account_state: Readonly<Record<string, unknown>> & { readonly '@type': string };
  readonly revision: number;
}

const v3 = (slice: CellSlice) => {
  const seqno = slice.uint(32);
  return { wallet_id: slice.int(32), seqno };
};
const idOnly = (slice: CellSlice) => ({ wallet_id: slice.int(32) });

const EXTENDED: Readonly<Record<string, readonly [string, number, (data: CellSlice) => object]>> = {
  'thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=': ['wallet.v3', 1, v3],
  'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=': ['wallet.v3', 2, v3],
  '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=': ['wallet.v4', 2, v3],
  '2M27t58sXKpnesRQdwvgNRviHhJQSG3oXMUqoz3RZIQ=': ['wallet.highload.v1', 1, v3],
  'NowDly5fTCRBK4GGUt4d4qJjDRwBFgmZnf90X7NoSa0=': ['wallet.highload.v1', 2, v3],
  'jOtFs81LXMYOquHBO5wJI5Jnf+U2sumy2AG2Lv+TH+E=': ['wallet.highload.v2', 1, idOnly],
  'CzqIeurNKn1Au1VQvJJTFWoCkGWu+21rWDc11Y2p1b4=': ['wallet.highload.v2', 2, idOnly],
  'oNZ9LeiRn+e3yndlLM1P3FbGid56aRYeRfsNzF5HwVU=': ['dns', 1, idOnly],
};

/** The state in the words of a contract that is known by its code; null for any other. */
export function extendedState(codeHash: string, data: Uint8Array): ExtendedState | null {
  const known = EXTENDED[codeHash];
  if (!known || data.length === 0) return null;
  const [name, revision, read] = known;
  return readData(data, (slice) => ({
    account_state: { '@type': `${name}.accountState`, ...read(slice) },
    revision,
  }));
}

/** null if the data does not match the code: any account may be deployed with any data. */
function readData<T>(data: Uint8Array, read: (slice: CellSlice) => T): T | null {
  const boc = parseBoc(data);
  try {
    return read(new CellSlice(boc, onlyRoot(boc)));
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
