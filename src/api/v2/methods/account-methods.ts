import { toBase64 } from '../../../ton/hash/base64.ts';
import { readCodeAndData } from '../../chain/read-account.ts';
import { readSuspended } from '../../chain/suspended-accounts.ts';
import { readAccountState } from '../../entities/accounts/find-state.ts';
import { accountStatusText } from '../../format/account-status.ts';
import { toRawAddress } from '../../query/account-id.ts';
import { blockIdExt } from '../format/block-id.ts';
import { toExtraCurrencies } from '../format/extra-currencies.ts';
import { ACCOUNT_STATUS, BALANCE, FULL_ACCOUNT_STATE } from '../format/schemas.ts';
import { NO_TRANSACTION_ID, transactionId } from '../format/transaction-id.ts';
import { STATE_SEQNO } from '../parameters/block-parameters.ts';
import { ACCOUNT } from '../parameters/history-parameters.ts';
import { readStateBlock, stateSeqno } from '../read/block.ts';
import { defineMethod, requireScope } from './method.ts';

const PARAMETERS = { address: ACCOUNT, seqno: STATE_SEQNO };

/** The state of an account after a masterchain block. */
export const getAddressInformation = defineMethod({
  name: 'getAddressInformation',
  group: 'accounts',
  reads: ['base'],
  summary: 'State of an account',
  parameters: PARAMETERS,
  result: FULL_ACCOUNT_STATE,
  async answer(request, { address, seqno }) {
    const scope = requireScope(request);
    const at = stateSeqno(scope, seqno);
    const [state, block, suspended] = await Promise.all([
      readAccountState(scope, address, at),
      readStateBlock(scope, seqno),
      readSuspended(scope, at),
    ]);
    const { code, data } = await readCodeAndData(scope, address, state, at);
    return {
      '@type': 'raw.fullAccountState',
      balance: state.balance,
      extra_currencies: toExtraCurrencies(state.extra),
      // A node answers for an account that is gone as for one that never was.
      last_transaction_id:
        state.status === 'nonexist' ? NO_TRANSACTION_ID : transactionId(state.lt, state.last_trans_hash),
      block_id: blockIdExt(request.blockIdTag, block),
      code: toBase64(code),
      data: toBase64(data),
      frozen_hash: state.status === 'frozen' ? state.frozen_hash : '',
      sync_utime: block.gen_utime,
      state: accountStatusText(state.status),
      suspended: suspended.has(toRawAddress(address.workchain, address.hash)),
    };
  },
});

/** Nanotons of an account after a masterchain block. */
export const getAddressBalance = defineMethod({
  name: 'getAddressBalance',
  group: 'accounts',
  reads: ['base'],
  summary: 'Balance of an account',
  parameters: PARAMETERS,
  result: BALANCE,
  async answer(request, { address, seqno }) {
    const scope = requireScope(request);
    return (await readAccountState(scope, address, stateSeqno(scope, seqno))).balance;
  },
});

/** Status of an account after a masterchain block. */
export const getAddressState = defineMethod({
  name: 'getAddressState',
  group: 'accounts',
  reads: ['base'],
  summary: 'Status of an account',
  parameters: PARAMETERS,
  result: ACCOUNT_STATUS,
  async answer(request, { address, seqno }) {
    const scope = requireScope(request);
    return accountStatusText((await readAccountState(scope, address, stateSeqno(scope, seqno))).status);
  },
});
