import { CellSlice } from '../../boc/cell-slice.ts';
import type { HashAndDepth } from '../../boc/virtual-cell.ts';
import { CellBuilder } from '../../cell/cell-builder.ts';
import { sameBytes } from '../../decode/same-bytes.ts';
import { type AccountAddress, storeAddress } from '../../store/store-address.ts';
import { contractAddress, FREE_BYTE, getReference } from '../contract-address.ts';
import { standard } from '../read-fields.ts';
import type { ContractCells, TokenState } from '../token-state.ts';

/** Bits of the field `status` before the balance: governed jettons can lock a wallet. */
const STATUS_BITS = 4;

/**
 * Jetton wallet of TEP-74 as its reference implementation stores it.
 *
 *     _ balance:Coins owner:MsgAddress master:MsgAddress wallet_code:^Cell = WalletData;
 *
 * @returns null if its address is not the one that its master computes
 */
export function readJettonWallet(cells: ContractCells): TokenState | null {
  const fields = walletFields(cells, 0);
  const code = getReference(cells, fields.rest.ref());
  return ownWallet(cells, fields, code, contractAddress(code, firstData(fields, 0), [code]));
}

/**
 * Wallet of a governed jetton (the stablecoin contracts): its code is its account's.
 *
 *     _ status:uint4 balance:Coins owner:MsgAddress master:MsgAddress = GovernedWalletData;
 */
export function readGovernedWallet(cells: ContractCells): TokenState | null {
  const fields = walletFields(cells, STATUS_BITS);
  const code = getReference(cells, cells.code);
  return ownWallet(cells, fields, code, contractAddress(code, firstData(fields, STATUS_BITS), []));
}

/**
 * Wallet of the later stablecoin contracts: its address begins with its owner's first byte, so that both are in one shard.
 *
 *     _ balance:Coins owner:MsgAddress master:MsgAddress = BareWalletData;
 */
export function readShardedWallet(cells: ContractCells): TokenState | null {
  const fields = walletFields(cells, 0);
  const code = getReference(cells, cells.code);
  const address = contractAddress(code, firstData(fields, 0), [], FREE_BYTE);
  address[0] = fields.owner.address[0] as number;
  return ownWallet(cells, fields, code, address);
}

interface WalletFields {
  readonly balance: bigint;
  readonly owner: AccountAddress;
  readonly master: AccountAddress;
  /** The data after the fields. */
  readonly rest: CellSlice;
}

function walletFields({ boc, data }: ContractCells, statusBits: number): WalletFields {
  const slice = new CellSlice(boc, data);
  slice.skipBits(statusBits);
  return { balance: slice.coins(), owner: standard(slice), master: standard(slice), rest: slice };
}

/** The data that the wallet was deployed with. */
function firstData({ owner, master }: WalletFields, statusBits: number): CellBuilder {
  return new CellBuilder().uint(0, statusBits).coins(0n).with(storeAddress, owner).with(storeAddress, master);
}

function ownWallet(
  { account }: ContractCells,
  { balance, owner, master }: WalletFields,
  code: HashAndDepth,
  address: Uint8Array,
): TokenState | null {
  if (!sameBytes(address, account.address)) return null;
  return {
    kind: 'jetton_wallet',
    amount: balance,
    flag: false,
    owner,
    parent: master,
    childCode: code.hash,
    content: null,
    link: '',
  };
}
