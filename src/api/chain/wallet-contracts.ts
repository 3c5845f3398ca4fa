import { onlyRoot, parseBoc } from '../../ton/boc/boc.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import { CellSlice } from '../../ton/boc/cell-slice.ts';

/** What a wallet's data says. */
export interface WalletFacts {
  readonly wallet_type: string;
  readonly seqno: number;
  readonly wallet_id?: number;
  readonly is_signature_allowed?: boolean;
}

type Fields = Omit<WalletFacts, 'wallet_type'>;

const seqnoOnly = (data: CellSlice): Fields => ({ seqno: data.uint(32) });
const seqnoAndId = (data: CellSlice): Fields => ({ seqno: data.uint(32), wallet_id: data.int(32) });
const v5 = (data: CellSlice): Fields => ({ is_signature_allowed: data.bit(), ...seqnoAndId(data) });

/** By code hash (base64): the type's name and how its data begins (v2-endpoints.md section 8). */
const WALLETS: Readonly<Record<string, readonly [string, (data: CellSlice) => Fields]>> = {
  'oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=': ['wallet v1 r1', seqnoOnly],
  '1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=': ['wallet v1 r2', seqnoOnly],
  'WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=': ['wallet v1 r3', seqnoOnly],
  'XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=': ['wallet v2 r1', seqnoOnly],
  '/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=': ['wallet v2 r2', seqnoOnly],
  'thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=': ['wallet v3 r1', seqnoAndId],
  'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=': ['wallet v3 r2', seqnoAndId],
  'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=': ['wallet v4 r1', seqnoAndId],
  '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=': ['wallet v4 r2', seqnoAndId],
  '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=': ['wallet v5 beta', v5],
  'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=': ['wallet v5 r1', v5],
};

/** The facts of a wallet from the hash of its code and its data; null for any other contract. */
export function walletFacts(codeHash: string, data: Uint8Array): WalletFacts | null {
  const wallet = WALLETS[codeHash];
  if (!wallet || data.length === 0) return null;
  const [wallet_type, read] = wallet;
  return readData(data, (slice) => ({ wallet_type, ...read(slice) }));
}

/** `account_state` of getExtendedAddressInformation with its `revision` (v2-endpoints.md section 7). */
export interface ExtendedState {
  readonly account_state: Readonly<Record<string, unknown>> & { readonly '@type': string };
  readonly revision: number;
}

const v3 = (slice: CellSlice) => {
  const { seqno, wallet_id } = seqnoAndId(slice);
  return { wallet_id, seqno };
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

/** null where the data is not what the code keeps: anybody may deploy a code with any data. */
function readData<T>(data: Uint8Array, read: (slice: CellSlice) => T): T | null {
  const boc = parseBoc(data);
  try {
    return read(new CellSlice(boc, onlyRoot(boc)));
  } catch (error) {
    if (error instanceof CellError) return null;
    throw error;
  }
}
