/** The results of the methods that act on the chain, as JSON schemas for the OpenAPI document. */
import { type TProperties, Type } from 'typebox';
import { TOKEN_KINDS } from '../../entities/tokens/model.ts';
import { ACCOUNT_STATUS, BLOCK_ID } from './schemas.ts';

const object = (type: string, properties: TProperties) =>
  Type.Object({ '@type': Type.Literal(type), ...properties });

const HASH_TEXT = Type.String({ description: 'base64 of 32 bytes' });
const CELL = object('tvm.cell', {
  bytes: Type.String({ description: 'base64 of a bag of cells, or empty' }),
});
const NANOTONS = Type.String({ pattern: '^\\d+$', description: 'nanotons' });
const TRANSACTION_ID = object('internal.transactionId', {
  lt: Type.String({ pattern: '^\\d+$' }),
  hash: HASH_TEXT,
});
const RUN = { gas_used: Type.Integer(), exit_code: Type.Integer() };

export const TVM_CELL = CELL;

export const OK = object('ok', {});

export const DNS_RESOLVED = object('dns.resolved', {
  entries: Type.Array(
    object('dns.entry', {
      name: Type.String(),
      category: HASH_TEXT,
      entry: Type.Object({ '@type': Type.String() }, { additionalProperties: true }),
    }),
  ),
});

export const OUT_MSG_QUEUE_SIZES = object('blocks.outMsgQueueSizes', {
  shards: Type.Array(object('blocks.outMsgQueueSize', { id: BLOCK_ID, size: Type.Integer() })),
  ext_msg_queue_size_limit: Type.Integer({ description: '0: this server keeps no external messages' }),
});

const SIGNATURES = Type.Array(
  object('blocks.signature', { node_id_short: HASH_TEXT, signature: Type.String() }),
);

export const BLOCK_SIGNATURES = Type.Union([
  object('blocks.blockSignatures', { id: BLOCK_ID, signatures: SIGNATURES }),
  object('blocks.blockSignatures.simplex', {
    id: BLOCK_ID,
    signatures: SIGNATURES,
    session_id: HASH_TEXT,
    slot: Type.Integer(),
    candidate: Type.String(),
  }),
]);

export const SHARD_BLOCK_PROOF = object('blocks.shardBlockProof', {
  from: BLOCK_ID,
  mc_id: BLOCK_ID,
  links: Type.Array(object('blocks.shardBlockLink', { id: BLOCK_ID, proof: Type.String() })),
  mc_proof: Type.Array(
    object('blocks.blockLinkBack', {
      to_key_block: Type.Boolean(),
      from: BLOCK_ID,
      to: BLOCK_ID,
      dest_proof: Type.String(),
      proof: Type.String(),
      state_proof: Type.String(),
    }),
  ),
});

export const EXT_MESSAGE_INFO = object('raw.extMessageInfo', { hash: HASH_TEXT, hash_norm: HASH_TEXT });

export const RUN_RESULT = object('smc.runResult', {
  ...RUN,
  stack: Type.Array(Type.Array(Type.Unknown(), { minItems: 2, maxItems: 2 })),
  block_id: BLOCK_ID,
  last_transaction_id: TRANSACTION_ID,
});

export const RUN_RESULT_STD = object('smc.runResult', {
  ...RUN,
  stack: Type.Array(Type.Object({ '@type': Type.String() }, { additionalProperties: true })),
});

const FEES = object('fees', {
  in_fwd_fee: Type.Integer(),
  storage_fee: Type.Integer(),
  gas_fee: Type.Integer(),
  fwd_fee: Type.Integer(),
});
export const QUERY_FEES = object('query.fees', {
  source_fees: FEES,
  destination_fees: Type.Array(FEES),
});

export const CONFIG_INFO = object('configInfo', { config: CELL });

export const LIBRARY_RESULT = object('smc.libraryResult', {
  result: Type.Array(object('smc.libraryEntry', { hash: HASH_TEXT, data: Type.String() })),
});

export const WALLET_INFORMATION = object('ext.accounts.walletInformation', {
  wallet: Type.Boolean(),
  balance: NANOTONS,
  account_state: ACCOUNT_STATUS,
  last_transaction_id: TRANSACTION_ID,
  wallet_type: Type.Optional(Type.String()),
  seqno: Type.Optional(Type.Integer()),
  wallet_id: Type.Optional(Type.Integer()),
  is_signature_allowed: Type.Optional(Type.Boolean()),
});

export const EXTENDED_ACCOUNT_STATE = object('fullAccountState', {
  address: object('accountAddress', { account_address: Type.String() }),
  balance: NANOTONS,
  extra_currencies: Type.Array(
    object('extraCurrency', { id: Type.Integer(), amount: Type.String({ pattern: '^\\d+$' }) }),
  ),
  last_transaction_id: TRANSACTION_ID,
  block_id: BLOCK_ID,
  sync_utime: Type.Integer(),
  account_state: Type.Object({ '@type': Type.String() }, { additionalProperties: true }),
  revision: Type.Integer(),
});

const TOKEN = {
  address: Type.String({ description: 'as the request gave it' }),
  contract_type: Type.Union(TOKEN_KINDS.map((kind) => Type.Literal(kind))),
};
const DECIMAL = Type.String({ pattern: '^-?\\d+$' });
const FRIENDLY = Type.String({ description: 'friendly, bounceable' });
const CELL_TEXT = Type.String({ description: 'base64 of a bag of cells' });
const CONTENT = Type.Union([
  Type.Object({ type: Type.Literal('offchain'), data: Type.String() }),
  Type.Object({ type: Type.Literal('onchain'), data: Type.Record(Type.String(), Type.String()) }),
]);
const RECORD = Type.Object({ '@type': Type.String() }, { additionalProperties: true });
const NAME_CONTENT = Type.Object({ domain: Type.String(), data: Type.Record(Type.String(), RECORD) });
export const TOKEN_DATA = Type.Union([
  object('ext.tokens.jettonMasterData', {
    ...TOKEN,
    total_supply: DECIMAL,
    mintable: Type.Boolean(),
    admin_address: Type.Optional(FRIENDLY),
    jetton_content: CONTENT,
    jetton_wallet_code: CELL_TEXT,
  }),
  object('ext.tokens.jettonWalletData', {
    ...TOKEN,
    balance: DECIMAL,
    owner: FRIENDLY,
    jetton: FRIENDLY,
    mintless_is_claimed: Type.Optional(Type.Boolean()),
    jetton_wallet_code: CELL_TEXT,
  }),
  object('ext.tokens.nftCollectionData', {
    ...TOKEN,
    next_item_index: DECIMAL,
    owner_address: Type.Optional(FRIENDLY),
    collection_content: CONTENT,
  }),
  object('ext.tokens.nftItemData', {
    ...TOKEN,
    init: Type.Boolean(),
    index: DECIMAL,
    collection_address: Type.Optional(FRIENDLY),
    owner_address: Type.Optional(FRIENDLY),
    content: Type.Union([CONTENT, NAME_CONTENT]),
  }),
]);
