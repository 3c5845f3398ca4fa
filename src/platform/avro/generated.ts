// Generated from schemas/ by scripts/generate-avro-types.ts. Do not edit.

/** An amount of an extra currency. */
export interface ExtraCurrencyV1 {
  /** Number of the currency. */
  readonly id: bigint;
  /** Decimal, up to 248 bits. */
  readonly amount: string;
}

/** An account after its last transaction in a block, or as it was where the index begins. */
export interface AccountStateV1 {
  /** Sequence number of the masterchain block that committed the record's block. */
  readonly mc_seqno: bigint;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Logical time of the last transaction before this state. */
  readonly lt: bigint;
  /** Hash of that transaction; null where there is none. */
  readonly last_trans_hash: null | Uint8Array;
  /** Hash of the Account cell. */
  readonly hash: Uint8Array;
  /** nonexist: the account was deleted. */
  readonly status: 'uninit' | 'frozen' | 'active' | 'nonexist';
  /** Nanotons, decimal. */
  readonly balance: string;
  /** Extra currencies. */
  readonly extra: readonly ExtraCurrencyV1[];
  /** Null where there is no code. */
  readonly code_hash: null | Uint8Array;
  /** Null where there are no data. */
  readonly data_hash: null | Uint8Array;
  /** Hash of the state that was frozen; null where the account is not frozen. */
  readonly frozen_hash: null | Uint8Array;
  /** Unix time up to which storage is paid, seconds. */
  readonly last_paid: bigint;
  /** Nanotons, decimal; null where nothing is due. */
  readonly due_payment: null | string;
  /** Cells that the account takes. */
  readonly storage_cells: bigint;
  /** Bits that the account takes. */
  readonly storage_bits: bigint;
  /** The block shows the state that this one replaces. */
  readonly has_prev: boolean;
  /** lt of the state that this one replaces; 0 where there was none. */
  readonly prev_lt: bigint;
  /** Its balance where has_prev is true; else 0. */
  readonly prev_balance: string;
  /** block: after the account's last transaction in a block; before: as it was where the index begins; state: from a given state. */
  readonly origin: 'block' | 'before' | 'state';
}

/** One block: header, value flow in nanotons, counts. */
export interface BlockV1 {
  /** Sequence number of the masterchain block that committed this block; its own for a masterchain block. */
  readonly mc_seqno: bigint;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, 16 lowercase hex digits: 8000000000000000 is the whole workchain. */
  readonly shard: string;
  /** Sequence number of the block in its shard. */
  readonly seqno: bigint;
  /** Representation hash of the block's root cell. */
  readonly root_hash: Uint8Array;
  /** SHA-256 of the block's bytes. */
  readonly file_hash: Uint8Array;
  /** As the header has it; private networks reuse mainnet's -239. */
  readonly global_id: number;
  /** Of the block's format. */
  readonly version: bigint;
  /** Of the header. */
  readonly flags: number;
  /** Two shards were merged into this one: there are two previous blocks. */
  readonly after_merge: boolean;
  /** The shard splits behind this block. */
  readonly before_split: boolean;
  /** The previous block is that of the shard before it was split. */
  readonly after_split: boolean;
  /** The shard asks to be merged. */
  readonly want_merge: boolean;
  /** The shard asks to be split. */
  readonly want_split: boolean;
  /** A masterchain block that may change the configuration. */
  readonly key_block: boolean;
  /** A hard fork begins here. */
  readonly vert_seqno_incr: boolean;
  /** Number of hard forks up to here. */
  readonly vert_seqno: bigint;
  /** Unix time of the block, seconds. */
  readonly gen_utime: bigint;
  /** Logical time at which the block begins. */
  readonly start_lt: bigint;
  /** Logical time at which the block ends. */
  readonly end_lt: bigint;
  /** Short hash of the validators' list. */
  readonly validator_list_hash_short: bigint;
  /** Number of the validators' session. */
  readonly gen_catchain_seqno: bigint;
  /** Oldest masterchain block that the state refers to. */
  readonly min_ref_mc_seqno: bigint;
  /** Sequence number of the key block before. */
  readonly prev_key_block_seqno: bigint;
  /** Version of the software that made the block; 0 where it is not said. */
  readonly gen_software_version: bigint;
  /** Capabilities of that software, 64 bits read as a signed number. */
  readonly gen_software_capabilities: bigint;
  /** Masterchain block that a shard block refers to; 0 in masterchain blocks. */
  readonly master_ref_seqno: bigint;
  /** Its end_lt; 0 in masterchain blocks. */
  readonly master_ref_end_lt: bigint;
  /** Its root hash; null in masterchain blocks. */
  readonly master_ref_root_hash: null | Uint8Array;
  /** Its file hash; null in masterchain blocks. */
  readonly master_ref_file_hash: null | Uint8Array;
  /** Sequence number of the previous block. */
  readonly prev_seqno: bigint;
  /** Its end_lt. */
  readonly prev_end_lt: bigint;
  /** Its root hash. */
  readonly prev_root_hash: Uint8Array;
  /** Its file hash. */
  readonly prev_file_hash: Uint8Array;
  /** The second previous block, where after_merge is true; else 0. */
  readonly prev2_seqno: bigint;
  /** Its end_lt, or 0. */
  readonly prev2_end_lt: bigint;
  /** Its root hash, or null. */
  readonly prev2_root_hash: null | Uint8Array;
  /** Its file hash, or null. */
  readonly prev2_file_hash: null | Uint8Array;
  /** Hash of the shard's state before the block. */
  readonly state_hash_before: Uint8Array;
  /** Hash of the shard's state after the block. */
  readonly state_hash_after: Uint8Array;
  /** Constructor of the value flow, 32 bits. */
  readonly value_flow_tag: bigint;
  /** Value flow: what the state held before. Nanotons, decimal. */
  readonly from_prev_blk: string;
  /** Value flow: what the state holds after. Nanotons, decimal. */
  readonly to_next_blk: string;
  /** Value flow: what came in by messages. Nanotons, decimal. */
  readonly imported: string;
  /** Value flow: what went out by messages. Nanotons, decimal. */
  readonly exported: string;
  /** Value flow: fees of this block and those imported. Nanotons, decimal. */
  readonly fees_collected: string;
  /** Value flow: what was burned. Nanotons, decimal. */
  readonly burned: string;
  /** Value flow: fees that shard blocks handed on. Nanotons, decimal. */
  readonly fees_imported: string;
  /** Value flow: fees given to the fee collector. Nanotons, decimal. */
  readonly recovered: string;
  /** Value flow: the reward for the block. Nanotons, decimal. */
  readonly created: string;
  /** Value flow: what was minted. Nanotons, decimal. */
  readonly minted: string;
  /** Seed of the block's random numbers. */
  readonly rand_seed: Uint8Array;
  /** Public key of the validator; zeros where none is named. */
  readonly created_by: Uint8Array;
  /** Entries of the dictionary of incoming messages. */
  readonly in_msg_descr_count: bigint;
  /** Entries of the dictionary of outgoing messages. */
  readonly out_msg_descr_count: bigint;
  /** Accounts with transactions. */
  readonly account_blocks: bigint;
  /** Transactions. */
  readonly tx_count: bigint;
  /** Length of the block's bytes. */
  readonly boc_bytes: bigint;
}

/** An account. */
export interface DetectedAddressV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
}

/** A token contract as its get methods describe it. */
export interface DetectedTokenV1 {
  /** Supply, balance, next index or index: a decimal number. */
  readonly amount: string;
  /** A master is mintable, an item is initialised, a wallet has an open claim. */
  readonly flag: boolean;
  /** Owner or administrator; null for none. */
  readonly owner: null | DetectedAddressV1;
  /** Master or collection; null for none. */
  readonly parent: null | DetectedAddressV1;
  /** Hash of the code of the jetton's wallets; zeros for none. */
  readonly child_code: Uint8Array;
  /** JSON; null for none. */
  readonly content: null | string;
}

/** An account and its role; for the role domain the SHA-256 of a name. */
export interface DetectedKeyV1 {
  /** e.g. signer, multisig, wallet, domain. */
  readonly role: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id, or the hash of a name. */
  readonly account: Uint8Array;
}

/** A sale, an auction, a name, a multisig or an order as its get methods describe it. */
export interface DetectedContractV1 {
  /** Seller or owner; null for none. */
  readonly owner: null | DetectedAddressV1;
  /** The NFT, collection or multisig; null for none. */
  readonly parent: null | DetectedAddressV1;
  /** JSON object of the other facts, by the names of the API. */
  readonly details: string;
  /** Accounts by which the contract is found. */
  readonly keys: readonly DetectedKeyV1[];
}

/** What the get methods of an account return for one kind of contract. */
export interface OutcomeV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Masterchain step of the state. */
  readonly state_seqno: bigint;
  /** Logical time of the last transaction of the state. */
  readonly lt: bigint;
  /** Hash of the code. */
  readonly code_hash: Uint8Array;
  /** Hash of the data. */
  readonly data_hash: Uint8Array;
  /** Kind of contract, e.g. jetton_wallet, nft_sale. */
  readonly kind: string;
  /** Why the account is not of the kind; empty if it is. `not known: …` if the index lacks a cell that the methods need. */
  readonly reason: string;
  /** Facts of a jetton or NFT; null for other kinds, and with a reason. */
  readonly token: null | DetectedTokenV1;
  /** Facts of another contract; null for tokens, and with a reason. */
  readonly contract: null | DetectedContractV1;
}

/** Outcomes of get methods of contracts under unknown codes, recorded at a masterchain step. The state of an outcome is of this step or an earlier one. */
export interface DetectionsV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** Sequence number of the masterchain step of the record. */
  readonly mc_seqno: bigint;
  /** May be empty: each step has a record. */
  readonly outcomes: readonly OutcomeV1[];
}

/** A transaction in its trace. */
export interface TraceTransactionV1 {
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Logical time. */
  readonly lt: bigint;
  /** How many messages lie between the first transaction and this one. */
  readonly depth: bigint;
}

/** A complete trace: every message that it sent to an account was received. */
export interface FinishedTraceV1 {
  /** Hash of the first transaction. */
  readonly trace_id: Uint8Array;
  /** Hash of the external message that began it; null where none did. */
  readonly external_hash: null | Uint8Array;
  /** Logical time of the first transaction. */
  readonly start_lt: bigint;
  /** Highest logical time of its transactions. */
  readonly end_lt: bigint;
  /** Highest Unix time of its transactions, seconds. */
  readonly end_utime: bigint;
  /** Its transactions, by logical time. */
  readonly transactions: readonly TraceTransactionV1[];
}

/** The traces that a masterchain step completed, by the lt of their first transaction. */
export interface FinishedTracesV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** Sequence number of the masterchain block that committed the last transactions. */
  readonly mc_seqno: bigint;
  /** May be empty: each step has its record. */
  readonly traces: readonly FinishedTraceV1[];
}

/** One side of a message: one record by the transaction that sent it, one by the one that received it. */
export interface MessageV1 {
  /** Sequence number of the masterchain block that committed the record's block. */
  readonly mc_seqno: bigint;
  /** out: written by the transaction that sent it; in: by the one that received it. */
  readonly side: 'out' | 'in';
  /** Internal, or from or to the world outside. */
  readonly kind: 'internal' | 'ext_in' | 'ext_out';
  /** Hash of the message's cell. */
  readonly hash: Uint8Array;
  /** Normalised hash (TEP-467) of an external-in message; of others the same as hash. */
  readonly hash_norm: Uint8Array;
  /** Logical time; 0 for external-in messages. */
  readonly created_lt: bigint;
  /** Unix time, seconds; 0 for external-in messages. */
  readonly created_at: bigint;
  /** Kind of the source's address. */
  readonly source_kind: 'none' | 'extern' | 'std' | 'var';
  /** Where the kind is std or var; else 0. */
  readonly source_workchain: number;
  /** The account where the kind is std, the first 256 bits where it is var; else zeros. */
  readonly source: Uint8Array;
  /** Kind of the destination's address. */
  readonly destination_kind: 'none' | 'extern' | 'std' | 'var';
  /** Where the kind is std or var; else 0. */
  readonly destination_workchain: number;
  /** The account where the kind is std, the first 256 bits where it is var; else zeros. */
  readonly destination: Uint8Array;
  /** Nanotons, decimal. */
  readonly value: string;
  /** Extra currencies. */
  readonly value_extra: readonly ExtraCurrencyV1[];
  /** Nanotons, decimal. */
  readonly fwd_fee: string;
  /** Nanotons, decimal; 0 from global version 12 on. */
  readonly ihr_fee: string;
  /** Nanotons, decimal; of external-in messages. */
  readonly import_fee: string;
  /** Decimal; null before global version 12. */
  readonly extra_flags: null | string;
  /** Of internal messages. */
  readonly ihr_disabled: boolean;
  /** To be bounced where it fails. */
  readonly bounce: boolean;
  /** Comes back from where it failed. */
  readonly bounced: boolean;
  /** First 32 bits of the body; null where it is shorter. */
  readonly opcode: null | bigint;
  /** Hash of the body as a cell of its own. */
  readonly body_hash: Uint8Array;
  /** The body as a bag of cells. */
  readonly body: Uint8Array;
  /** Hash of the state init; null where there is none. */
  readonly init_hash: null | Uint8Array;
  /** The state init as a bag of cells; null where there is none. */
  readonly init: null | Uint8Array;
  /** Workchain of the transaction that sent or received the message. */
  readonly tx_workchain: number;
  /** Its account. */
  readonly tx_account: Uint8Array;
  /** Its logical time. */
  readonly tx_lt: bigint;
  /** Its hash. */
  readonly tx_hash: Uint8Array;
}

/** One block as its source gave it, with the step of the masterchain that committed it. */
export interface RawBlockV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, the 64 bits read as a signed number: the whole workchain is -9223372036854775808. */
  readonly shard: bigint;
  /** Sequence number of the block in its shard, unsigned 32 bits. */
  readonly seqno: bigint;
  /** Representation hash of the block's root cell. */
  readonly root_hash: Uint8Array;
  /** SHA-256 of boc. */
  readonly file_hash: Uint8Array;
  /** Sequence number of the masterchain block that committed this block; its own for a masterchain block. */
  readonly mc_seqno: bigint;
  /** The block as a bag of cells, byte for byte as its file_hash was taken. */
  readonly boc: Uint8Array;
}

/** A whole shard state to start from: a zerostate, or the state behind a later block. */
export interface RawStateV1 {
  /** Label of the network, e.g. mainnet. */
  readonly network: string;
  /** -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, the 64 bits read as a signed number: the whole workchain is -9223372036854775808. */
  readonly shard: bigint;
  /** Sequence number of the block that this is the state behind; 0 for a zerostate. */
  readonly seqno: bigint;
  /** Representation hash of the state's root cell. */
  readonly root_hash: Uint8Array;
  /** SHA-256 of boc. */
  readonly file_hash: Uint8Array;
  /** Sequence number of the masterchain block that committed this state; 0 for a zerostate. */
  readonly mc_seqno: bigint;
  /** The state as a bag of cells, byte for byte as its file_hash was taken. */
  readonly boc: Uint8Array;
}

/** One transaction with its phases. Its messages are records of their own, joined by tx_hash. */
export interface TransactionV1 {
  /** Sequence number of the masterchain block that committed the record's block. */
  readonly mc_seqno: bigint;
  /** Workchain of the account and the block: -1 for the masterchain, 0 for the basechain. */
  readonly workchain: number;
  /** Shard prefix with its marker bit, 16 lowercase hex digits: 8000000000000000 is the whole workchain. */
  readonly shard: string;
  /** Sequence number of the block in its shard. */
  readonly seqno: bigint;
  /** The account's id within its workchain. */
  readonly account: Uint8Array;
  /** Logical time; unique for the account. */
  readonly lt: bigint;
  /** Hash of the transaction's cell. */
  readonly hash: Uint8Array;
  /** The account's previous transaction; null for its first. */
  readonly prev_trans_hash: null | Uint8Array;
  /** Logical time of the previous transaction, or 0. */
  readonly prev_trans_lt: bigint;
  /** Unix time, seconds. */
  readonly now: bigint;
  /** Of the account before. */
  readonly orig_status: 'uninit' | 'frozen' | 'active' | 'nonexist';
  /** Of the account after. */
  readonly end_status: 'uninit' | 'frozen' | 'active' | 'nonexist';
  /** Nanotons, decimal. */
  readonly total_fees: string;
  /** Fees in extra currencies. */
  readonly total_fees_extra: readonly ExtraCurrencyV1[];
  /** Hash of the Account cell before. */
  readonly state_hash_before: Uint8Array;
  /** Hash of the Account cell after. */
  readonly state_hash_after: Uint8Array;
  /** Constructor of the description. */
  readonly type:
    | 'ord'
    | 'storage'
    | 'tick_tock'
    | 'split_prepare'
    | 'split_install'
    | 'merge_prepare'
    | 'merge_install';
  /** The transaction did not succeed. */
  readonly aborted: boolean;
  /** The account was deleted. */
  readonly destroyed: boolean;
  /** The credit phase came before the storage phase; only of ord. */
  readonly credit_first: boolean;
  /** Tock rather than tick; only of tick_tock. */
  readonly is_tock: boolean;
  /** Only of split_install and merge_install. */
  readonly installed: boolean;
  /** Storage phase; none where there is no such phase. */
  readonly storage_status_change: 'none' | 'unchanged' | 'frozen' | 'deleted';
  /** Nanotons, decimal. */
  readonly storage_fees_collected: string;
  /** Nanotons, decimal; null where nothing is due. */
  readonly storage_fees_due: null | string;
  /** There is a credit phase. */
  readonly has_credit: boolean;
  /** Nanotons, decimal; null where nothing was due. */
  readonly credit_due_fees_collected: null | string;
  /** Nanotons credited, decimal. */
  readonly credit: string;
  /** Extra currencies credited. */
  readonly credit_extra: readonly ExtraCurrencyV1[];
  /** Compute phase; its other fields count where it is vm. */
  readonly compute_type: 'none' | 'skipped' | 'vm';
  /** Where compute_type is skipped; else none. */
  readonly compute_skip_reason: 'none' | 'no_state' | 'bad_state' | 'no_gas' | 'suspended';
  /** The virtual machine ended well. */
  readonly compute_success: boolean;
  /** The state came with the message. */
  readonly compute_msg_state_used: boolean;
  /** The account became active. */
  readonly compute_account_activated: boolean;
  /** Nanotons, decimal. */
  readonly compute_gas_fees: string;
  /** Gas. */
  readonly compute_gas_used: bigint;
  /** Gas. */
  readonly compute_gas_limit: bigint;
  /** Gas; null where there was no credit. */
  readonly compute_gas_credit: null | bigint;
  /** Mode of the virtual machine. */
  readonly compute_mode: number;
  /** Of the virtual machine. */
  readonly compute_exit_code: number;
  /** Null where there is none. */
  readonly compute_exit_arg: null | number;
  /** Steps of the virtual machine. */
  readonly compute_vm_steps: bigint;
  /** Null where it is zeros or there is no such phase. */
  readonly compute_vm_init_state_hash: null | Uint8Array;
  /** Null where it is zeros or there is no such phase. */
  readonly compute_vm_final_state_hash: null | Uint8Array;
  /** There is an action phase; its fields count where this is true. */
  readonly has_action: boolean;
  /** All actions were done. */
  readonly action_success: boolean;
  /** The list of actions was valid. */
  readonly action_valid: boolean;
  /** There was not enough to do them. */
  readonly action_no_funds: boolean;
  /** None where there is no action phase. */
  readonly action_status_change: 'none' | 'unchanged' | 'frozen' | 'deleted';
  /** Nanotons, decimal; null where there are none. */
  readonly action_total_fwd_fees: null | string;
  /** Nanotons, decimal; null where there are none. */
  readonly action_total_action_fees: null | string;
  /** 0 for success. */
  readonly action_result_code: number;
  /** Null where there is none. */
  readonly action_result_arg: null | number;
  /** Actions. */
  readonly action_tot_actions: number;
  /** Actions other than sending. */
  readonly action_spec_actions: number;
  /** Actions passed over. */
  readonly action_skipped_actions: number;
  /** Messages sent. */
  readonly action_msgs_created: number;
  /** Hash of the list of actions; null where there is no action phase. */
  readonly action_list_hash: null | Uint8Array;
  /** Cells of the messages sent. */
  readonly action_tot_msg_cells: bigint;
  /** Bits of the messages sent. */
  readonly action_tot_msg_bits: bigint;
  /** Bounce phase; none where there is no such phase. */
  readonly bounce_type: 'none' | 'negfunds' | 'nofunds' | 'ok';
  /** Cells of the bounced message. */
  readonly bounce_msg_cells: bigint;
  /** Bits of the bounced message. */
  readonly bounce_msg_bits: bigint;
  /** Nanotons that were missing, decimal; where bounce_type is nofunds. */
  readonly bounce_req_fwd_fees: string;
  /** Nanotons, decimal. */
  readonly bounce_msg_fees: string;
  /** Nanotons, decimal. */
  readonly bounce_fwd_fees: string;
  /** Of split and merge transactions: prefix length and depth (a byte each), this address, the sibling's (32 bytes each); else null. */
  readonly split_info: null | Uint8Array;
  /** Messages sent. */
  readonly out_msg_count: number;
}

// The newest version of each kind.
export type AccountState = AccountStateV1;
export type Block = BlockV1;
export type Detections = DetectionsV1;
export type FinishedTraces = FinishedTracesV1;
export type Message = MessageV1;
export type RawBlock = RawBlockV1;
export type RawState = RawStateV1;
export type Transaction = TransactionV1;

/** Result of decoding. */
export type Datum =
  | { readonly kind: 'account-state'; readonly version: 1; readonly value: AccountStateV1 }
  | { readonly kind: 'block'; readonly version: 1; readonly value: BlockV1 }
  | { readonly kind: 'detections'; readonly version: 1; readonly value: DetectionsV1 }
  | { readonly kind: 'finished-traces'; readonly version: 1; readonly value: FinishedTracesV1 }
  | { readonly kind: 'message'; readonly version: 1; readonly value: MessageV1 }
  | { readonly kind: 'raw-block'; readonly version: 1; readonly value: RawBlockV1 }
  | { readonly kind: 'raw-state'; readonly version: 1; readonly value: RawStateV1 }
  | { readonly kind: 'transaction'; readonly version: 1; readonly value: TransactionV1 };

/** Argument of encoding: the newest version of each kind. */
export interface NewestDatum {
  readonly 'account-state': AccountStateV1;
  readonly block: BlockV1;
  readonly detections: DetectionsV1;
  readonly 'finished-traces': FinishedTracesV1;
  readonly message: MessageV1;
  readonly 'raw-block': RawBlockV1;
  readonly 'raw-state': RawStateV1;
  readonly transaction: TransactionV1;
}
