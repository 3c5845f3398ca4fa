/** The results of v2 as JSON schemas, for the OpenAPI document (contract/v2-endpoints.md section 5 and later). */
import { type TProperties, Type } from 'typebox';

const tag = (...names: string[]) => Type.Union(names.map((name) => Type.Literal(name)));
const object = (type: string, properties: TProperties) =>
  Type.Object({ '@type': Type.Literal(type), ...properties });

const HASH_TEXT = Type.String({ description: 'base64 of 32 bytes' });
const DECIMAL = Type.String({ pattern: '^-?\\d+$' });
const AMOUNT = Type.String({ pattern: '^\\d+$', description: 'nanotons' });
const CELL = Type.String({ description: 'base64 of a bag of cells' });
const CELL_OR_NOTHING = Type.String({ description: 'base64 of a bag of cells, or empty' });

export const BLOCK_ID = Type.Object({
  '@type': tag('chain.blockIdExt', 'ton.blockIdExt'),
  workchain: Type.Integer(),
  shard: DECIMAL,
  seqno: Type.Integer(),
  root_hash: HASH_TEXT,
  file_hash: HASH_TEXT,
});

const TRANSACTION_ID = object('internal.transactionId', { lt: DECIMAL, hash: HASH_TEXT });
const ACCOUNT_ADDRESS = object('accountAddress', { account_address: Type.String() });
const EXTRA_CURRENCIES = Type.Array(object('extraCurrency', { id: Type.Integer(), amount: DECIMAL }));

const MSG_DATA = Type.Union([
  object('msg.dataRaw', { body: CELL, init_state: CELL_OR_NOTHING }),
  object('msg.dataText', { text: Type.String({ description: 'base64 of UTF-8' }) }),
  object('msg.dataEncryptedText', { text: Type.String({ description: 'base64' }) }),
]);

const MESSAGE_FIELDS = {
  value: AMOUNT,
  extra_currencies: EXTRA_CURRENCIES,
  fwd_fee: AMOUNT,
  ihr_fee: AMOUNT,
  created_lt: DECIMAL,
  body_hash: HASH_TEXT,
  msg_data: MSG_DATA,
};

const RAW_MESSAGE = object('raw.message', {
  hash: HASH_TEXT,
  source: ACCOUNT_ADDRESS,
  destination: ACCOUNT_ADDRESS,
  ...MESSAGE_FIELDS,
});

const EXT_MESSAGE = object('ext.message', {
  hash: HASH_TEXT,
  source: Type.String(),
  destination: Type.String(),
  ...MESSAGE_FIELDS,
  message: Type.String(),
});

const TRANSACTION_FIELDS = {
  utime: Type.Integer(),
  data: CELL,
  transaction_id: TRANSACTION_ID,
  fee: AMOUNT,
  storage_fee: AMOUNT,
  other_fee: AMOUNT,
};

const RAW_TRANSACTION = object('raw.transaction', {
  address: ACCOUNT_ADDRESS,
  ...TRANSACTION_FIELDS,
  in_msg: Type.Optional(RAW_MESSAGE),
  out_msgs: Type.Array(RAW_MESSAGE),
});

const RAW_TRANSACTION_EXT = object('raw.transactionExt', {
  address: ACCOUNT_ADDRESS,
  ...TRANSACTION_FIELDS,
  in_msg: Type.Optional(RAW_MESSAGE),
  out_msgs: Type.Array(RAW_MESSAGE),
  account: Type.String(),
});

export const EXT_TRANSACTION = object('ext.transaction', {
  address: ACCOUNT_ADDRESS,
  account: Type.String(),
  ...TRANSACTION_FIELDS,
  in_msg: Type.Optional(EXT_MESSAGE),
  out_msgs: Type.Array(EXT_MESSAGE),
});

export const EXT_TRANSACTIONS = Type.Array(EXT_TRANSACTION);

export const RAW_TRANSACTIONS = object('raw.transactions', {
  transactions: Type.Array(RAW_TRANSACTION),
  previous_transaction_id: TRANSACTION_ID,
});

export const MASTERCHAIN_INFO = object('blocks.masterchainInfo', {
  last: BLOCK_ID,
  state_root_hash: HASH_TEXT,
  init: BLOCK_ID,
});

export const CONSENSUS_BLOCK = object('ext.blocks.consensusBlock', {
  consensus_block: Type.Integer({ description: 'masterchain seqno' }),
  timestamp: Type.Integer({ description: 'Unix time of the server, seconds' }),
});

export const SHARDS = object('blocks.shards', { shards: Type.Array(BLOCK_ID) });

export const BLOCK_HEADER = object('blocks.header', {
  id: BLOCK_ID,
  global_id: Type.Integer(),
  version: Type.Integer(),
  flags: Type.Integer(),
  after_merge: Type.Boolean(),
  after_split: Type.Boolean(),
  before_split: Type.Boolean(),
  want_merge: Type.Boolean(),
  want_split: Type.Boolean(),
  validator_list_hash_short: Type.Integer(),
  catchain_seqno: Type.Integer(),
  min_ref_mc_seqno: Type.Integer(),
  is_key_block: Type.Boolean(),
  prev_key_block_seqno: Type.Integer(),
  start_lt: DECIMAL,
  end_lt: DECIMAL,
  gen_utime: Type.Integer(),
  vert_seqno: Type.Integer(),
  prev_blocks: Type.Array(BLOCK_ID),
});

const BLOCK_LIST = { id: BLOCK_ID, req_count: Type.Integer(), incomplete: Type.Boolean() };

export const BLOCK_TRANSACTIONS = object('blocks.transactions', {
  ...BLOCK_LIST,
  transactions: Type.Array(
    object('blocks.shortTxId', {
      mode: Type.Integer(),
      account: Type.String(),
      lt: DECIMAL,
      hash: HASH_TEXT,
    }),
  ),
});

export const BLOCK_TRANSACTIONS_EXT = object('blocks.transactionsExt', {
  ...BLOCK_LIST,
  transactions: Type.Array(RAW_TRANSACTION_EXT),
});

export const ACCOUNT_STATUS = tag('active', 'uninitialized', 'frozen');
export const BALANCE = AMOUNT;
export const ADDRESS_TEXT = Type.String();

export const FULL_ACCOUNT_STATE = object('raw.fullAccountState', {
  balance: AMOUNT,
  extra_currencies: EXTRA_CURRENCIES,
  last_transaction_id: TRANSACTION_ID,
  block_id: BLOCK_ID,
  code: CELL_OR_NOTHING,
  data: CELL_OR_NOTHING,
  frozen_hash: Type.String({ description: 'base64 of 32 bytes, or empty' }),
  sync_utime: Type.Integer(),
  state: ACCOUNT_STATUS,
  suspended: Type.Boolean(),
});

const ADDRESS_VARIANT = object('ext.utils.detectedAddressVariant', {
  b64: Type.String(),
  b64url: Type.String(),
});

export const DETECTED_ADDRESS = object('ext.utils.detectedAddress', {
  raw_form: Type.String(),
  bounceable: ADDRESS_VARIANT,
  non_bounceable: ADDRESS_VARIANT,
  given_type: tag('raw_form', 'friendly_bounceable', 'friendly_non_bounceable'),
  test_only: Type.Boolean(),
});

export const DETECTED_HASH = object('ext.utils.detectedHash', {
  b64: Type.String(),
  b64url: Type.String(),
  hex: Type.String(),
});

/** Every failure. */
export const ERROR_BODY = Type.Object({
  ok: Type.Literal(false),
  error: Type.String(),
  code: Type.Integer(),
  '@extra': Type.String(),
  jsonrpc: Type.Optional(Type.Literal('2.0')),
  id: Type.Optional(Type.String()),
});
