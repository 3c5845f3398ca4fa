import type { ParsedAddress } from '../../../ton/address/address.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { readAccount } from '../../chain/read-account.ts';
import { walletFacts } from '../../chain/wallet-contracts.ts';
import { HttpError } from '../../http/http-error.ts';
import type { AccountId } from '../../read/account-id.ts';
import type { AccountStateRow } from '../../read/account-state-row.ts';
import { hashOrNull, ZERO_HASH } from '../../read/none-account.ts';
import { accountStatusText } from '../../v2/format/account-status.ts';
import { endpoint } from '../endpoint.ts';
import { account } from '../params/keys.ts';
import { bool } from '../params/numbers.ts';
import { withDefault } from '../params/parameter.ts';
import {
  type AddressInformation,
  AddressInformationSchema,
  type WalletInformation,
  WalletInformationSchema,
} from '../schemas/chain.ts';

const PARAMETERS = {
  address: account('Account in any form (required).'),
  use_v2: withDefault(bool('Status in the words of v2.'), false),
};

function required(address: AccountId | undefined): ParsedAddress {
  if (!address) throw new HttpError(401, 'address of account is required');
  return { workchain: address.workchain, hash: fromHex(address.hash)!, form: 'raw' };
}

function statusText(status: AccountStateRow['status'], inWordsOfV2: boolean): string {
  if (inWordsOfV2) return accountStatusText(status);
  return status === 'nonexist' ? 'uninit' : status;
}

/** An account that was never seen, or is gone. */
const NOBODY = { balance: '0', last_transaction_lt: '0', last_transaction_hash: ZERO_HASH };

function nobody(use_v2: boolean) {
  return { ...NOBODY, status: statusText('nonexist', use_v2) };
}

function bocOrNull(boc: Uint8Array): string | null {
  return boc.length === 0 ? null : toBase64(boc);
}

/** `/addressInformation` (v3-endpoints.md 9). */
export const addressInformation = endpoint({
  path: '/addressInformation',
  tag: 'api/v2',
  summary: 'The newest state of an account.',
  parameters: PARAMETERS,
  answer: AddressInformationSchema,
  async handle(scope, { address, use_v2 }): Promise<AddressInformation> {
    const { state, code, data } = await readAccount(scope, required(address), scope.visible.last);
    if (state.status === 'nonexist') return { ...nobody(use_v2), code: null, data: null, frozen_hash: null };
    return {
      balance: state.balance,
      code: bocOrNull(code),
      data: bocOrNull(data),
      last_transaction_lt: state.lt,
      last_transaction_hash: state.last_trans_hash,
      frozen_hash: hashOrNull(state.frozen_hash),
      status: statusText(state.status, use_v2),
    };
  },
  empty({ address, use_v2 }): AddressInformation {
    required(address);
    return { ...nobody(use_v2), code: null, data: null, frozen_hash: null };
  },
});

/** `/walletInformation` (v3-endpoints.md 9): an account without code may become a wallet, any other contract not. */
export const walletInformation = endpoint({
  path: '/walletInformation',
  tag: 'api/v2',
  summary: 'The newest state of a wallet.',
  parameters: PARAMETERS,
  answer: WalletInformationSchema,
  async handle(scope, { address, use_v2 }): Promise<WalletInformation> {
    const { state, data } = await readAccount(scope, required(address), scope.visible.last);
    if (state.status === 'nonexist') return nobody(use_v2);
    const facts = walletFacts(state.code_hash, data);
    if (!facts && state.status !== 'uninit') throw new HttpError(409, 'not a wallet');
    return {
      balance: state.balance,
      ...(facts && { wallet_type: facts.wallet_type, seqno: facts.seqno }),
      // Signed in v2.
      ...(facts?.wallet_id !== undefined && { wallet_id: facts.wallet_id >>> 0 }),
      last_transaction_lt: state.lt,
      last_transaction_hash: state.last_trans_hash,
      status: statusText(state.status, use_v2),
    };
  },
  empty({ address, use_v2 }): WalletInformation {
    required(address);
    return nobody(use_v2);
  },
});
