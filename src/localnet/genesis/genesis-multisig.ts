import type { Cell } from '../../ton/cell/cell.ts';
import { CellBuilder } from '../../ton/cell/cell-builder.ts';
import { NO_EXTRA, Trie } from '../../ton/cell/trie.ts';
import { type AccountAddress, storeAddress } from '../../ton/store/store-address.ts';
import { MULTISIG_CODE } from '../contracts/codes/multisig-code.ts';
import { MULTISIG_ORDER_CODE } from '../contracts/codes/multisig-order-code.ts';
import type { GenesisContract } from './genesis-account.ts';
import { codeCell, contractAt } from './genesis-code.ts';

const TON = 1_000_000_000n;

/** Codes of a multisig and of its orders. */
interface MultisigCodes {
  readonly code: Cell;
  readonly orderCode: Cell;
}

/** A wallet that does what `threshold` of its signers approve. Default codes: the local chain's. */
export function genesisMultisig(
  signers: readonly AccountAddress[],
  threshold: number,
  { code, orderCode }: MultisigCodes = {
    code: codeCell(MULTISIG_CODE),
    orderCode: codeCell(MULTISIG_ORDER_CODE),
  },
): GenesisContract {
  let list = Trie.empty<AccountAddress>({ keyBits: 8, store: storeAddress, extra: NO_EXTRA });
  for (const [index, signer] of signers.entries()) list = list.set(new Uint8Array([index]), signer);
  const signerList = new CellBuilder();
  list.store(signerList);
  const data = new CellBuilder()
    .bytes(new Uint8Array(32))
    .uint(threshold, 8)
    .ref(signerList.cell())
    .uint(signers.length, 8)
    .bit(false)
    .ref(orderCode)
    .cell();
  return contractAt(code, data, 1_000n * TON);
}
