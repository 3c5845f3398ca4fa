import { HASH } from './base-types.ts';
import { CONTRACT_KIND, CONTRACT_ROLE, PART, STEP } from './contract-types.ts';
import { coded, column, columnTypes, defineTable, party, rising } from './table.ts';
import { buildCopy } from './target.ts';

/** Codec of ids that repeat from row to row. */
const REPEATED = 'ZSTD(1)';
const id = (comment: string) => coded(HASH, REPEATED, comment);

export const CONTRACT_STATES = defineTable({
  name: 'contract_states',
  version: 7,
  comment:
    'One row per contract around tokens and block with transactions of it: a sale, an auction, a name, a multisig and its orders, vesting, a pool.',
  key: ['workchain', 'account', 'kind', 'lt'],
  columns: {
    mc_seqno: rising('UInt32', STEP),
    part: column('UInt16', PART),
    workchain: column('Int32', 'Workchain of the contract.'),
    account: id('Account id of the contract.'),
    lt: rising('UInt64', 'Logical time of the last transaction before this state.'),
    kind: column(CONTRACT_KIND, 'What the contract is.'),
    is_gone: column('Bool', 'The account is no longer a contract of this kind.'),
    code_hash: id('Hash of the code.'),
    code_depth: column('UInt16', 'Depth of the code.'),
    data_hash: id('Hash of the data.'),
    ...party('owner', 'seller of an NFT, owner of a name or of coins', REPEATED),
    ...party('parent', 'NFT that is sold, collection of a name, multisig of an order', REPEATED),
    child_code: id('Hash of the code that orders of a multisig must have, or of the code of an order.'),
    domain: column('String', 'Full name; empty for none.'),
    ...party('wallet', 'account in the record `wallet` of a name', REPEATED),
    ...party('bidder', 'highest bidder', REPEATED),
    details: coded('String', 'ZSTD(3)', 'The other fields as JSON, by their names in answers.'),
    data: coded('String', 'ZSTD(3)', 'The data cell as a bag of cells: the checkpoint of the account.'),
  },
});

export const CONTRACT_KEYS = defineTable({
  name: 'contract_keys',
  version: 7,
  comment:
    'Accounts, and hashes of names, by which contracts are or were found. The newest state decides whether they still are.',
  key: ['role', 'key', 'account'],
  columns: {
    mc_seqno: column('UInt32', STEP),
    part: column('UInt16', PART),
    role: column(CONTRACT_ROLE, 'What the key is to the contract.'),
    key_workchain: column('Int32', 'Workchain of the key; 0 for a name.'),
    key: id('Account id, or SHA-256 of a full name.'),
    workchain: column('Int32', 'Workchain of the contract.'),
    account: id('Account id of the contract.'),
  },
});

export const CONTRACT_STATE_TYPES = columnTypes(CONTRACT_STATES);
export const CONTRACT_KEY_TYPES = columnTypes(CONTRACT_KEYS);

export const CONTRACT_STATE_TARGET = buildCopy(CONTRACT_STATES, {
  orderBy: ['account', 'workchain', 'lt'],
  shard: 'cityHash64(account)',
  // Almost no account is one of these contracts.
  lookUps: [{ name: 'contract', key: ['account', 'workchain', 'mc_seqno', 'lt'], value: [] }],
});

export const CONTRACT_KEY_TARGET = buildCopy(CONTRACT_KEYS, {
  orderBy: ['key', 'key_workchain', 'role', 'account'],
  shard: 'cityHash64(key)',
  lookUps: [
    {
      // Almost no account is the wallet of a name. A name may come to a wallet again: the step is a part of the key.
      name: 'name_of_wallet',
      key: ['key', 'key_workchain', 'account', 'workchain', 'mc_seqno'],
      value: [],
      where: "role = 'wallet'",
    },
  ],
});
