import type { CellSlice } from '../../boc/cell-slice.ts';

/** First fields of a wallet's data. Numbers are unsigned. */
export interface WalletData {
  readonly seqno: number;
  readonly walletId?: number;
  readonly isSignatureAllowed?: boolean;
}

/** A wallet that TON Center knows by its code. */
export interface WalletLayout {
  /** v3-models.md 8.2, for example `wallet v4 r2`. */
  readonly type: string;
  /** Reads the data from its first bit. @throws CellError underflow */
  readonly read: (data: CellSlice) => WalletData;
}

// _ seqno:uint32 public_key:bits256 = WalletData;
const seqnoOnly = (data: CellSlice): WalletData => ({ seqno: data.uint(32) });
// _ seqno:uint32 wallet_id:uint32 public_key:bits256 = WalletData;
const seqnoAndId = (data: CellSlice): WalletData => ({ seqno: data.uint(32), walletId: data.uint(32) });
// _ is_signature_allowed:Bool seqno:uint32 wallet_id:uint32 public_key:bits256 = WalletData;
const v5 = (data: CellSlice): WalletData => ({ isSignatureAllowed: data.bit(), ...seqnoAndId(data) });

const layout = (type: string, read: WalletLayout['read']): WalletLayout => ({ type: `wallet ${type}`, read });

/** By code hash, base64 (v3-models.md 8.2, v2-endpoints.md section 8). Highload wallets are not among them. */
const LAYOUTS: ReadonlyMap<string, WalletLayout> = new Map([
  ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', layout('v1 r1', seqnoOnly)],
  ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', layout('v1 r2', seqnoOnly)],
  ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', layout('v1 r3', seqnoOnly)],
  ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', layout('v2 r1', seqnoOnly)],
  ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', layout('v2 r2', seqnoOnly)],
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', layout('v3 r1', seqnoAndId)],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', layout('v3 r2', seqnoAndId)],
  ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', layout('v4 r1', seqnoAndId)],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', layout('v4 r2', seqnoAndId)],
  ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', layout('v5 beta', v5)],
  ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', layout('v5 r1', v5)],
]);

/** The layout of a wallet by the hash of its code (base64); undefined for any other contract. */
export function walletLayout(codeHash: string): WalletLayout | undefined {
  return LAYOUTS.get(codeHash);
}
