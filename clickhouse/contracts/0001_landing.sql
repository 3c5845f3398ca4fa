-- Landing tables of the projection: what src/projections/contracts makes, one Native batch each. They keep nothing.
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

CREATE TABLE IF NOT EXISTS {db}.land_token_transfers{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    kind Enum8('jetton_transfer' = 0, 'jetton_burn' = 1, 'nft_transfer' = 2) COMMENT 'What the message does.',
    workchain Int32 COMMENT 'Workchain of the wallet or item.',
    account FixedString(32) COMMENT 'Account id of the wallet or item.',
    lt UInt64 COMMENT 'Logical time of the transaction that received the message.',
    hash FixedString(32) COMMENT 'Hash of that transaction.',
    now UInt32 COMMENT 'Time of that transaction, Unix seconds.',
    aborted Bool COMMENT 'That transaction was aborted.',
    has_parent Bool COMMENT 'There is a master or collection.',
    parent_workchain Int32 COMMENT 'Workchain of the master or collection; 0 for none.',
    parent FixedString(32) COMMENT 'Account id of the master or collection; zeros for none.',
    child_code FixedString(32) COMMENT 'Hash of the code that the master or collection must name.',
    query_id UInt64 COMMENT 'query_id of the message.',
    amount UInt256 COMMENT 'Jettons in smallest units; the index of an item.',
    has_source Bool COMMENT 'There is a known source.',
    source_workchain Int32 COMMENT 'Workchain of the known source; 0 for none.',
    source FixedString(32) COMMENT 'Account id of the known source; zeros for none.',
    has_destination Bool COMMENT 'The destination is an account.',
    destination_workchain Int32 COMMENT 'Workchain of the destination, or its form if it is no account: 0 addr_none, 1 addr_extern, 2 addr_var.',
    destination FixedString(32) COMMENT 'Account id of the destination; zeros if it is no account.',
    has_response Bool COMMENT 'The response destination is an account.',
    response_workchain Int32 COMMENT 'Workchain of the response destination, or its form if it is no account, as destination_workchain.',
    response FixedString(32) COMMENT 'Account id of the response destination; zeros if it is no account.',
    forward_amount UInt128 COMMENT 'Value forwarded to the destination, nanotons.',
    custom_payload String COMMENT 'Custom payload as a bag of cells; empty for none.',
    forward_payload String COMMENT 'Forward payload as a bag of cells; empty for none.'
)
ENGINE = Null
COMMENT 'Received messages that move a token, if the receiver is, or may be, a wallet or item. Under a code whose data is not read, the row has no parent and its own code as child_code, and get methods decide. Rule: TEP-62, TEP-74.';

CREATE TABLE IF NOT EXISTS {db}.land_jetton_mints{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the wallet.',
    account FixedString(32) COMMENT 'Account id of the wallet.',
    lt UInt64 COMMENT 'Logical time of the transaction that received the message.',
    hash FixedString(32) COMMENT 'Hash of that transaction.',
    now UInt32 COMMENT 'Time of that transaction, Unix seconds.',
    aborted Bool COMMENT 'That transaction was aborted.',
    is_known Bool COMMENT 'The data of the wallet names the sender as its master.',
    parent_workchain Int32 COMMENT 'Workchain of the sender, the master.',
    parent FixedString(32) COMMENT 'Account id of the sender, the master.',
    child_code FixedString(32) COMMENT 'Hash of the code that the master must name.',
    has_owner Bool COMMENT 'There is a known owner of the wallet.',
    owner_workchain Int32 COMMENT 'Workchain of the known owner of the wallet; 0 for none.',
    owner FixedString(32) COMMENT 'Account id of the known owner of the wallet; zeros for none.',
    query_id UInt64 COMMENT 'query_id of the message.',
    amount UInt256 COMMENT 'Jettons in smallest units.',
    has_response Bool COMMENT 'There is a receiver of the excess.',
    response_workchain Int32 COMMENT 'Workchain of the receiver of the excess; 0 for none.',
    response FixedString(32) COMMENT 'Account id of the receiver of the excess; zeros for none.',
    forward_amount UInt128 COMMENT 'Value forwarded to the owner, nanotons.',
    forward_payload String COMMENT 'Forward payload as a bag of cells; empty for none or an invalid one.'
)
ENGINE = Null
COMMENT 'Messages internal_transfer that a jetton wallet received from its master. Under a code whose data is not read, the message may be that of another wallet, and get methods decide. Rule: TEP-74.';

CREATE TABLE IF NOT EXISTS {db}.land_codes{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    is_known Bool COMMENT 'The data of its accounts is read without the TVM.',
    methods String COMMENT 'Ids of its methods, four bytes each, least significant first.'
)
ENGINE = Null
COMMENT 'A code at its first complete appearance.';

CREATE TABLE IF NOT EXISTS {db}.land_gaps{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Account id of the contract.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    data_hash FixedString(32) COMMENT 'Hash of the data.',
    missing Enum8('data' = 0, 'content' = 1, 'size' = 2) COMMENT 'What cannot be read.',
    is_unread Bool COMMENT 'The data is complete, and is not what the code stores.'
)
ENGINE = Null
COMMENT 'A state of a known contract that cannot be read: the indexed blocks do not have all of it, or its data is not valid.';

CREATE TABLE IF NOT EXISTS {db}.land_cell_places{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    hash8 UInt64 COMMENT 'First 8 bytes of the hash of the cell as a number, most significant first.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Account id of the contract.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.'
)
ENGINE = Null
COMMENT 'A state that contains a cell of code, data or libraries. Its row of account_cells has the cell.';

CREATE TABLE IF NOT EXISTS {db}.land_absent_cells{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the account.',
    account FixedString(32) COMMENT 'Account id of the contract.',
    lt UInt64 COMMENT 'Logical time of the last transaction before the state.',
    hash FixedString(32) COMMENT 'Hash of the cell.'
)
ENGINE = Null
COMMENT 'The first state of an account that leaves out a cell which the index may not have: it begins in mid-chain.';

CREATE TABLE IF NOT EXISTS {db}.land_contract_states{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    workchain Int32 COMMENT 'Workchain of the contract.',
    account FixedString(32) COMMENT 'Account id of the contract.',
    lt UInt64 COMMENT 'Logical time of the last transaction before this state.',
    kind Enum8('nft_sale' = 0, 'nft_auction' = 1, 'teleitem' = 2, 'dns_item' = 3, 'multisig' = 4, 'multisig_order' = 5, 'vesting' = 6, 'nominator_pool' = 7) COMMENT 'What the contract is.',
    is_gone Bool COMMENT 'The account is no longer a contract of this kind.',
    code_hash FixedString(32) COMMENT 'Hash of the code.',
    code_depth UInt16 COMMENT 'Depth of the code.',
    data_hash FixedString(32) COMMENT 'Hash of the data.',
    has_owner Bool COMMENT 'There is a seller of an NFT, owner of a name or of coins.',
    owner_workchain Int32 COMMENT 'Workchain of the seller of an NFT, owner of a name or of coins; 0 for none.',
    owner FixedString(32) COMMENT 'Account id of the seller of an NFT, owner of a name or of coins; zeros for none.',
    has_parent Bool COMMENT 'There is a NFT that is sold, collection of a name, multisig of an order.',
    parent_workchain Int32 COMMENT 'Workchain of the NFT that is sold, collection of a name, multisig of an order; 0 for none.',
    parent FixedString(32) COMMENT 'Account id of the NFT that is sold, collection of a name, multisig of an order; zeros for none.',
    child_code FixedString(32) COMMENT 'Hash of the code that orders of a multisig must have, or of the code of an order.',
    domain String COMMENT 'Full name; empty for none.',
    has_wallet Bool COMMENT 'There is a account in the record `wallet` of a name.',
    wallet_workchain Int32 COMMENT 'Workchain of the account in the record `wallet` of a name; 0 for none.',
    wallet FixedString(32) COMMENT 'Account id of the account in the record `wallet` of a name; zeros for none.',
    has_bidder Bool COMMENT 'There is a highest bidder.',
    bidder_workchain Int32 COMMENT 'Workchain of the highest bidder; 0 for none.',
    bidder FixedString(32) COMMENT 'Account id of the highest bidder; zeros for none.',
    details String COMMENT 'The other fields as JSON, by their names in answers.',
    data String COMMENT 'The data cell as a bag of cells: the checkpoint of the account.'
)
ENGINE = Null
COMMENT 'One row per contract around tokens and block with transactions of it: a sale, an auction, a name, a multisig and its orders, vesting, a pool.';

CREATE TABLE IF NOT EXISTS {db}.land_contract_keys{cluster}
(
    mc_seqno UInt32 COMMENT 'Masterchain step that has the row.',
    part UInt16 COMMENT 'Partition of the projection that wrote the row.',
    role Enum8('owner' = 0, 'wallet' = 1, 'bidder' = 2, 'domain' = 3, 'signer' = 4, 'proposer' = 5, 'multisig' = 6, 'sender' = 7, 'whitelisted' = 8, 'nominator' = 9) COMMENT 'What the key is to the contract.',
    key_workchain Int32 COMMENT 'Workchain of the key; 0 for a name.',
    key FixedString(32) COMMENT 'Account id, or SHA-256 of a full name.',
    workchain Int32 COMMENT 'Workchain of the contract.',
    account FixedString(32) COMMENT 'Account id of the contract.'
)
ENGINE = Null
COMMENT 'Accounts, and hashes of names, by which contracts are or were found. The newest state decides whether they still are.';
