import type { Fields, TYPES } from './types.ts';

/** A function of a lite server: its id, its parameters and the name of the type of its answer. */
export interface TlFunction<F extends Fields = Fields, A extends keyof typeof TYPES = keyof typeof TYPES> {
  readonly id: number;
  readonly fields: F;
  readonly answer: A;
}

function fn<const F extends Fields, const A extends keyof typeof TYPES>(
  id: number,
  fields: F,
  answer: A,
): TlFunction<F, A> {
  return { id, fields, answer };
}

/** Functions of a lite server, by name without `liteServer.`. Every one may be answered by `error` as well. */
export const FUNCTIONS = {
  getMasterchainInfo: fn(0x89b5e62e, {}, 'masterchainInfo'),
  getMasterchainInfoExt: fn(0x70a671df, { mode: 'u32' }, 'masterchainInfoExt'),
  getTime: fn(0x16ad5a34, {}, 'currentTime'),
  getVersion: fn(0x232b940b, {}, 'version'),
  getBlock: fn(0x6377cf0d, { id: 'blockIdExt' }, 'blockData'),
  getState: fn(0xba6e2eb6, { id: 'blockIdExt' }, 'blockState'),
  getBlockHeader: fn(0x21ec069e, { id: 'blockIdExt', mode: 'u32' }, 'blockHeader'),
  sendMessage: fn(0x690ad482, { body: 'bytes' }, 'sendMsgStatus'),
  getAccountState: fn(0x6b890e25, { id: 'blockIdExt', account: 'accountId' }, 'accountState'),
  getAccountStatePrunned: fn(0x5a698507, { id: 'blockIdExt', account: 'accountId' }, 'accountState'),
  runSmcMethod: fn(
    0x5cc65dd2,
    { mode: 'u32', id: 'blockIdExt', account: 'accountId', method_id: 'long', params: 'bytes' },
    'runMethodResult',
  ),
  getShardInfo: fn(
    0x46a2f425,
    { id: 'blockIdExt', workchain: 'int', shard: 'long', exact: 'Bool' },
    'shardInfo',
  ),
  getAllShardsInfo: fn(0x74d3fd6b, { id: 'blockIdExt' }, 'allShardsInfo'),
  getOneTransaction: fn(
    0xd40f24ea,
    { id: 'blockIdExt', account: 'accountId', lt: 'long' },
    'transactionInfo',
  ),
  getTransactions: fn(
    0x1c40e7a1,
    { count: 'u32', account: 'accountId', lt: 'long', hash: 'int256' },
    'transactionList',
  ),
  lookupBlock: fn(
    0xfac8f71e,
    { mode: 'u32', id: 'blockId', lt: '[1] long', utime: '[2] int' },
    'blockHeader',
  ),
  lookupBlockWithProof: fn(
    0x9c045ff8,
    { mode: 'u32', id: 'blockId', mc_block_id: 'blockIdExt', lt: '[1] long', utime: '[2] int' },
    'lookupBlockResult',
  ),
  listBlockTransactions: fn(
    0xadfcc7da,
    {
      id: 'blockIdExt',
      mode: 'u32',
      count: 'u32',
      after: '[7] transactionId3',
      reverse_order: '[6] true',
      want_proof: '[5] true',
    },
    'blockTransactions',
  ),
  listBlockTransactionsExt: fn(
    0x0079dd5c,
    {
      id: 'blockIdExt',
      mode: 'u32',
      count: 'u32',
      after: '[7] transactionId3',
      reverse_order: '[6] true',
      want_proof: '[5] true',
    },
    'blockTransactionsExt',
  ),
  getBlockProof: fn(
    0x8aea9c44,
    { mode: 'u32', known_block: 'blockIdExt', target_block: '[0] blockIdExt' },
    'partialBlockProof',
  ),
  getConfigAll: fn(0x911b26b7, { mode: 'u32', id: 'blockIdExt' }, 'configInfo'),
  getConfigParams: fn(0x2a111c19, { mode: 'u32', id: 'blockIdExt', param_list: 'vec int' }, 'configInfo'),
  getValidatorStats: fn(
    0x091a58bc,
    { mode: 'u32', id: 'blockIdExt', limit: 'int', start_after: '[0] int256', modified_after: '[2] int' },
    'validatorStats',
  ),
  getLibraries: fn(0xd122b662, { library_list: 'vec int256' }, 'libraryResult'),
  getLibrariesWithProof: fn(
    0xd97693bd,
    { id: 'blockIdExt', mode: 'u32', library_list: 'vec int256' },
    'libraryResultWithProof',
  ),
  getShardBlockProof: fn(0x4ca60350, { id: 'blockIdExt' }, 'shardBlockProof'),
  getOutMsgQueueSizes: fn(0x7bc19c36, { mode: 'u32', wc: '[0] int', shard: '[0] long' }, 'outMsgQueueSizes'),
  getBlockOutMsgQueueSize: fn(
    0x8f6c7779,
    { mode: 'u32', id: 'blockIdExt', want_proof: '[0] true' },
    'blockOutMsgQueueSize',
  ),
  getDispatchQueueInfo: fn(
    0x01e66bf3,
    { mode: 'u32', id: 'blockIdExt', after_addr: '[1] int256', max_accounts: 'int', want_proof: '[0] true' },
    'dispatchQueueInfo',
  ),
  getDispatchQueueMessages: fn(
    0xbbfd6439,
    {
      mode: 'u32',
      id: 'blockIdExt',
      addr: 'int256',
      after_lt: 'long',
      max_messages: 'int',
      want_proof: '[0] true',
      one_account: '[1] true',
      messages_boc: '[2] true',
    },
    'dispatchQueueMessages',
  ),
  'nonfinal.getPendingShardBlocks': fn(
    0x5a8ee82c,
    { mode: 'u32', wc: '[0] int', shard: '[0] long' },
    'nonfinal.pendingShardBlocks',
  ),
} as const;
