-- Landing tables of the projection: what src/projections/detections makes, one Native batch each. They keep nothing.
CREATE TABLE IF NOT EXISTS {db}.land_token_outcomes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the record.',
    state_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the account was examined for.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    data_hash FixedString(32) COMMENT 'Hash of the data.',
    reason String COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.',
    amount UInt256 COMMENT 'Supply, balance, next index or index, by kind. Smallest units.',
    flag Bool COMMENT 'A master is mintable, an item is initialised.',
    has_owner Bool COMMENT 'There is a admin or owner.',
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.',
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.',
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.',
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.',
    child_code FixedString(32) COMMENT 'Hash of the code of wallets or items.',
    content String COMMENT 'Content as JSON; empty for none.'
)
ENGINE = Null
COMMENT 'Outcomes for kinds of tokens.';

CREATE TABLE IF NOT EXISTS {db}.land_contract_outcomes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step of the record.',
    state_seqno UInt32 COMMENT 'Masterchain step of the state: this one, or an earlier one.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Id of the account in its workchain.',
    kind String COMMENT 'What the account was examined for.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    data_hash FixedString(32) COMMENT 'Hash of the data.',
    reason String COMMENT 'Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell.',
    has_owner Bool COMMENT 'There is a owner.',
    owner_workchain Int32 COMMENT 'Workchain of the owner; 0 for none.',
    owner FixedString(32) COMMENT 'Account id of the owner; zeros for none.',
    has_parent Bool COMMENT 'There is a NFT that is sold, collection, or multisig.',
    parent_workchain Int32 COMMENT 'Workchain of the NFT that is sold, collection, or multisig; 0 for none.',
    parent FixedString(32) COMMENT 'Account id of the NFT that is sold, collection, or multisig; zeros for none.',
    details String COMMENT 'JSON object by the names of answers.',
    keys String COMMENT 'JSON list of [role, workchain, hex]: accounts by which the contract is found.'
)
ENGINE = Null
COMMENT 'Outcomes for other kinds.';
