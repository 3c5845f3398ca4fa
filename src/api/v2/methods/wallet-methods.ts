import { toBase64 } from '../../../ton/hash/base64.ts';
import { readAccount } from '../../chain/read-account.ts';
import { extendedState, walletFacts } from '../../chain/wallet-contracts.ts';
import type { AccountStateRow } from '../../entities/accounts/model.ts';
import { accountStatusText } from '../../format/account-status.ts';
import { accountAddress, friendlyText } from '../format/account-address.ts';
import { blockIdExt } from '../format/block-id.ts';
import { EXTENDED_ACCOUNT_STATE, WALLET_INFORMATION } from '../format/chain-schemas.ts';
import { toExtraCurrencies } from '../format/extra-currencies.ts';
import { NO_TRANSACTION_ID, type TransactionId, transactionId } from '../format/transaction-id.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { readStateBlock, stateSeqno } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

const PARAMETERS = { address: ACCOUNT, seqno: STATE_SEQNO };

/** A node answers for an account that is gone as for one that never was. */
function lastTransaction({ status, lt, last_trans_hash }: AccountStateRow): TransactionId {
  return status === 'nonexist' ? NO_TRANSACTION_ID : transactionId(lt, last_trans_hash);
}

/** Whether an account is a wallet, and the facts in its data. */
export const getWalletInformation = defineMethod({
  name: 'getWalletInformation',
  group: 'accounts',
  reads: ['base'],
  summary: 'State of a wallet',
  parameters: PARAMETERS,
  result: WALLET_INFORMATION,
  async answer(request, { address, seqno }) {
    const scope = requireScope(request);
    const { state, data } = await readAccount(scope, address, stateSeqno(scope, seqno));
    const facts = walletFacts(state.code_hash, data);
    return {
      '@type': 'ext.accounts.walletInformation',
      wallet: facts !== null,
      balance: state.balance,
      account_state: accountStatusText(state.status),
      last_transaction_id: lastTransaction(state),
      ...facts,
      // Signed in v2.
      ...(facts?.wallet_id !== undefined && { wallet_id: facts.wallet_id | 0 }),
    };
  },
});

/** The state of an account in the words of the contract that it is. */
export const getExtendedAddressInformation = defineMethod({
  name: 'getExtendedAddressInformation',
  group: 'accounts',
  reads: ['base'],
  summary: 'State of an account, by the kind of its contract',
  parameters: PARAMETERS,
  result: EXTENDED_ACCOUNT_STATE,
  async answer(request, { address, seqno }) {
    const scope = requireScope(request);
    const at = stateSeqno(scope, seqno);
    const [account, block] = await Promise.all([
      readAccount(scope, address, at),
      readStateBlock(scope, seqno),
    ]);
    const { state, code, data } = account;
    const frozenHash = state.status === 'frozen' ? state.frozen_hash : '';
    const plain =
      state.status === 'active'
        ? { '@type': 'raw.accountState', code: toBase64(code), data: toBase64(data), frozen_hash: '' }
        : { '@type': 'uninited.accountState', frozen_hash: frozenHash };
    const known = extendedState(state.code_hash, data) ?? { account_state: plain, revision: 0 };
    return {
      '@type': 'fullAccountState',
      address: accountAddress(friendlyText(address.workchain, address.hash)),
      balance: state.balance,
      extra_currencies: toExtraCurrencies(state.extra),
      last_transaction_id: lastTransaction(state),
      block_id: blockIdExt(request.blockIdTag, block),
      sync_utime: block.gen_utime,
      ...known,
    };
  },
});
