import type { NewestDatum } from '../../platform/avro/generated.ts';
import type { ContractKey } from '../../ton/contracts/contract-state.ts';
import type { AccountAddress } from '../../ton/store/store-address.ts';
import type { DetectedContract, DetectedToken, StateOutcome } from './detection.ts';

/** An outcome in a record (schemas/detections). */
export type RecordedOutcome = NewestDatum['detections']['outcomes'][number];
type RecordedAddress = NonNullable<NonNullable<RecordedOutcome['token']>['owner']>;

/** Returns the form of an outcome in a record. */
export function toRecorded({ state, kind, outcome }: StateOutcome): RecordedOutcome {
  const found = 'found' in outcome ? outcome.found : null;
  return {
    workchain: state.account.workchain,
    account: state.account.address,
    state_seqno: BigInt(state.position),
    lt: state.lt,
    code_hash: state.codeHash,
    data_hash: state.dataHash,
    kind,
    reason: 'reason' in outcome ? outcome.reason : '',
    token: found && 'amount' in found ? toToken(found) : null,
    contract: found && !('amount' in found) ? toContract(found) : null,
  };
}

function toToken({ amount, flag, owner, parent, childCode, content }: DetectedToken) {
  return {
    amount: String(amount),
    flag,
    owner: toAddress(owner),
    parent: toAddress(parent),
    child_code: childCode,
    content,
  };
}

function toContract({ owner, parent, details, keys = [] }: DetectedContract) {
  return {
    owner: toAddress(owner),
    parent: toAddress(parent),
    details: JSON.stringify(details),
    keys: keys.map(({ role, account }: ContractKey) => ({
      role,
      workchain: account.workchain,
      account: account.address,
    })),
  };
}

function toAddress(account: AccountAddress | null): RecordedAddress | null {
  return account && { workchain: account.workchain, account: account.address };
}
