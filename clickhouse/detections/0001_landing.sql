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

CREATE TABLE IF NOT EXISTS {db}.land_token_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the contract.',
    account FixedString(32) COMMENT 'Account id of the contract.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.',
    now UInt32 COMMENT 'Time of that transaction, Unix seconds; 0 if unknown. Always 0 in `detections`.',
    kind Enum8('jetton_master' = 0, 'jetton_wallet' = 1, 'nft_collection' = 2, 'nft_item' = 3) COMMENT 'What the contract is.',
    is_gone Bool COMMENT 'The account is no longer a contract of this kind.',
    is_first Bool COMMENT 'It was not of this kind before, or had another parent or child code.',
    is_owner_new Bool COMMENT 'The owner differs from the one before.',
    since UInt32 COMMENT 'Masterchain step in which the contract was first seen.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    data_hash FixedString(32) COMMENT 'Hash of the data.',
    amount UInt256 COMMENT 'Supply, balance, next index (-1 as 2^256 - 1) or index, by kind. Smallest units.',
    flag Bool COMMENT 'A master is mintable, an item is initialised, a collection has the beginning of its items\' links, a wallet has an unclaimed mintless amount.',
    has_owner Bool COMMENT 'There is a admin or owner.',
    owner_workchain Int32 COMMENT 'Workchain of the admin or owner; 0 for none.',
    owner FixedString(32) COMMENT 'Account id of the admin or owner; zeros for none.',
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.',
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.',
    child_code FixedString(32) COMMENT 'Hash of the code that a wallet or item must have to belong to its master or collection.',
    content_hash FixedString(32) COMMENT 'Hash of the content cell; zeros for none.',
    content String COMMENT 'Content as JSON; empty if the store does not have the cell.',
    link String COMMENT 'Link that the items of a collection begin with, or the end of an item\'s link.',
    had Bool COMMENT 'It was a contract of this kind before. The columns had_… place that state in tokens_ranked.',
    had_amount UInt256 COMMENT 'Amount before; 0 without had.',
    had_parent_workchain Int32 COMMENT 'Workchain of the parent before; 0 without had.',
    had_parent FixedString(32) COMMENT 'Account id of the parent before; zeros without had.',
    had_child_code FixedString(32) COMMENT 'Child code before; zeros without had.'
)
ENGINE = Null
COMMENT 'One row per token contract and block with transactions of it: a jetton master or wallet, an NFT collection or item. Rule: TEP-62, TEP-74 and the known layouts.';
