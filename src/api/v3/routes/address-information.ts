import type { ParsedAddress } from '../../../ton/address/address.ts';
import { toBase64 } from '../../../ton/hash/base64.ts';
import { fromHex } from '../../../ton/hash/hex.ts';
import { readAccount } from '../../chain/read-account.ts';
import { readSuspended } from '../../chain/suspended-accounts.ts';
import { walletFacts } from '../../chain/wallet-contracts.ts';
import type { AccountStateRow } from '../../entities/accounts/model.ts';
import { hashOrNull, ZERO_HASH } from '../../entities/accounts/none-account.ts';
import { accountStatusText } from '../../format/account-status.ts';
import { HttpError } from '../../http/errors/http-error.ts';
import { needed, withDefault } from '../../parameters/parameter.ts';
import { type AccountId, toRawAddress } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import { endpoint } from '../endpoint.ts';
import { account, BOOL } from '../parameters/forms.ts';
import {
  type AddressInformation,
  AddressInformationSchema,
  type WalletInformation,
  WalletInformationSchema,
} from '../schemas/chain.ts';

const PARAMETERS = {
  address: needed(account('Account in any form.')),
  use_v2: withDefault(BOOL, false, 'Status in the words of v2.'),
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
const NO_ACCOUNT = { balance: '0', last_transaction_lt: '0', last_transaction_hash: ZERO_HASH };

function noAccount(use_v2: boolean, suspended: boolean) {
  return { ...NO_ACCOUNT, status: statusText('nonexist', use_v2), suspended };
}

/** Whether the configuration in force stops the account. */
async function isSuspended(scope: ReadScope, { workchain, hash }: ParsedAddress): Promise<boolean> {
  return (await readSuspended(scope, scope.visible.last)).has(toRawAddress(workchain, hash));
}

function bocOrNull(boc: Uint8Array): string | null {
  return boc.length === 0 ? null : toBase64(boc);
}

/** `/addressInformation` (v3-endpoints.md 9). */
export const addressInformation = endpoint({
  path: '/addressInformation',
  tag: 'api/v2',
  summary: 'The newest state of an account.',
  reads: ['base'],
  parameters: PARAMETERS,
  answer: AddressInformationSchema,
  async handle(scope, { address, use_v2 }): Promise<AddressInformation> {
    const account = required(address);
    const [{ state, code, data }, suspended] = await Promise.all([
      readAccount(scope, account, scope.visible.last),
      isSuspended(scope, account),
    ]);
    if (state.status === 'nonexist')
      return { ...noAccount(use_v2, suspended), code: null, data: null, frozen_hash: null };
    return {
      balance: state.balance,
      code: bocOrNull(code),
      data: bocOrNull(data),
      last_transaction_lt: state.lt,
      last_transaction_hash: state.last_trans_hash,
      frozen_hash: hashOrNull(state.frozen_hash),
      status: statusText(state.status, use_v2),
      suspended,
    };
  },
});

/** `/walletInformation` (v3-endpoints.md 9): an account without code may become a wallet, any other contract not. */
export const walletInformation = endpoint({
  path: '/walletInformation',
  tag: 'api/v2',
  summary: 'The newest state of a wallet.',
  reads: ['base'],
  parameters: PARAMETERS,
  answer: WalletInformationSchema,
  async handle(scope, { address, use_v2 }): Promise<WalletInformation> {
    const account = required(address);
    const [{ state, data }, suspended] = await Promise.all([
      readAccount(scope, account, scope.visible.last),
      isSuspended(scope, account),
    ]);
    if (state.status === 'nonexist') return noAccount(use_v2, suspended);
    const facts = walletFacts(state.code_hash, data);
    if (!facts && state.status !== 'uninit') throw new HttpError(409, 'not a wallet');
    return {
      balance: state.balance,
      ...(facts && { wallet_type: facts.wallet_type }),
      ...(facts?.seqno !== undefined && { seqno: facts.seqno }),
      ...(facts?.wallet_id !== undefined && { wallet_id: facts.wallet_id }),
      last_transaction_lt: state.lt,
      last_transaction_hash: state.last_trans_hash,
      status: statusText(state.status, use_v2),
      suspended,
    };
  },
});
