/**
 * Fields of a TL type, in order. A field's text is the kind of its value:
 * `int` (signed), `u32`, `long` (64 bits), `int256` (32 bytes), `bytes`, `string`, `Bool`, `vec KIND`, the name of a type
 * (its fields follow without an id), or the name of a group of `boxed.ts` (an id first). `[N] KIND` is present if bit N of
 * `mode` is set; `[N] true` is that bit and has no bytes.
 */
export type Fields = Readonly<Record<string, string>>;

/** A TL type: the id that precedes a boxed value, and the fields. */
export interface TlType<F extends Fields = Fields> {
  readonly id: number;
  readonly fields: F;
}

function type<const F extends Fields>(id: number, fields: F): TlType<F> {
  return { id, fields };
}

/** Types of the lite server protocol and its transport, by name. `liteServer.` and `tonNode.` are left out of names. */
export const TYPES = {
  blockId: type(0xb7cdb167, { workchain: 'int', shard: 'long', seqno: 'int' }),
  blockIdExt: type(0x6752eb78, {
    workchain: 'int',
    shard: 'long',
    seqno: 'int',
    root_hash: 'int256',
    file_hash: 'int256',
  }),
  zeroStateIdExt: type(0x1d7235ae, { workchain: 'int', root_hash: 'int256', file_hash: 'int256' }),
  'adnl.message.query': type(0xb48bf97a, { query_id: 'int256', query: 'bytes' }),
  'adnl.message.answer': type(0x0fac8416, { query_id: 'int256', answer: 'bytes' }),
  'tcp.ping': type(0x4d082b9a, { random_id: 'long' }),
  'tcp.pong': type(0xdc69fb03, { random_id: 'long' }),
  'tcp.authentificate': type(0x445bab12, { nonce: 'bytes' }),
  'tcp.authentificationNonce': type(0xe35d4ab6, { nonce: 'bytes' }),
  error: type(0xbba9e148, { code: 'int', message: 'string' }),
  accountId: type(0x75a0e2c5, { workchain: 'int', id: 'int256' }),
  libraryEntry: type(0x8aff2446, { hash: 'int256', data: 'bytes' }),
  masterchainInfo: type(0x85832881, {
    last: 'blockIdExt',
    state_root_hash: 'int256',
    init: 'zeroStateIdExt',
  }),
  masterchainInfoExt: type(0xa8cce0f5, {
    mode: 'u32',
    version: 'int',
    capabilities: 'long',
    last: 'blockIdExt',
    last_utime: 'int',
    now: 'int',
    state_root_hash: 'int256',
    init: 'zeroStateIdExt',
  }),
  currentTime: type(0xe953000d, { now: 'int' }),
  version: type(0x5a0491e5, { mode: 'u32', version: 'int', capabilities: 'long', now: 'int' }),
  blockData: type(0xa574ed6c, { id: 'blockIdExt', data: 'bytes' }),
  blockState: type(0xabaddc0c, { id: 'blockIdExt', root_hash: 'int256', file_hash: 'int256', data: 'bytes' }),
  blockHeader: type(0x752d8219, { id: 'blockIdExt', mode: 'u32', header_proof: 'bytes' }),
  sendMsgStatus: type(0x3950e597, { status: 'int' }),
  accountState: type(0x7079c751, {
    id: 'blockIdExt',
    shardblk: 'blockIdExt',
    shard_proof: 'bytes',
    proof: 'bytes',
    state: 'bytes',
  }),
  runMethodResult: type(0xa39a616b, {
    mode: 'u32',
    id: 'blockIdExt',
    shardblk: 'blockIdExt',
    shard_proof: '[0] bytes',
    proof: '[0] bytes',
    state_proof: '[1] bytes',
    init_c7: '[3] bytes',
    lib_extras: '[4] bytes',
    exit_code: 'int',
    result: '[2] bytes',
  }),
  shardInfo: type(0x9fe6cd84, {
    id: 'blockIdExt',
    shardblk: 'blockIdExt',
    shard_proof: 'bytes',
    shard_descr: 'bytes',
  }),
  allShardsInfo: type(0x098fe72d, { id: 'blockIdExt', proof: 'bytes', data: 'bytes' }),
  transactionInfo: type(0x0edeed47, { id: 'blockIdExt', proof: 'bytes', transaction: 'bytes' }),
  transactionList: type(0x6f26c60b, { ids: 'vec blockIdExt', transactions: 'bytes' }),
  transactionMetadata: type(0xff706385, {
    mode: 'u32',
    depth: 'int',
    initiator: 'accountId',
    initiator_lt: 'long',
  }),
  transactionId: type(0xb12f65af, {
    mode: 'u32',
    account: '[0] int256',
    lt: '[1] long',
    hash: '[2] int256',
    metadata: '[8] transactionMetadata',
  }),
  transactionId3: type(0x2c81da77, { account: 'int256', lt: 'long' }),
  blockTransactions: type(0xbd8cad2b, {
    id: 'blockIdExt',
    req_count: 'u32',
    incomplete: 'Bool',
    ids: 'vec transactionId',
    proof: 'bytes',
  }),
  blockTransactionsExt: type(0xfb8ffce4, {
    id: 'blockIdExt',
    req_count: 'u32',
    incomplete: 'Bool',
    transactions: 'bytes',
    proof: 'bytes',
  }),
  signature: type(0xa3def855, { node_id_short: 'int256', signature: 'bytes' }),
  'signatureSet.ordinary': type(0xf644a6e6, {
    validator_set_hash: 'int',
    catchain_seqno: 'int',
    signatures: 'vec signature',
  }),
  'signatureSet.simplex': type(0xac249800, {
    cc_seqno: 'int',
    validator_set_hash: 'int',
    signatures: 'vec signature',
    session_id: 'int256',
    slot: 'int',
    candidate: 'bytes',
  }),
  blockLinkBack: type(0xef7e1bef, {
    to_key_block: 'Bool',
    from: 'blockIdExt',
    to: 'blockIdExt',
    dest_proof: 'bytes',
    proof: 'bytes',
    state_proof: 'bytes',
  }),
  blockLinkForward: type(0x520fce1c, {
    to_key_block: 'Bool',
    from: 'blockIdExt',
    to: 'blockIdExt',
    dest_proof: 'bytes',
    config_proof: 'bytes',
    signatures: 'SignatureSet',
  }),
  partialBlockProof: type(0x8ed0d2c1, {
    complete: 'Bool',
    from: 'blockIdExt',
    to: 'blockIdExt',
    steps: 'vec BlockLink',
  }),
  configInfo: type(0xae7b272f, {
    mode: 'u32',
    id: 'blockIdExt',
    state_proof: 'bytes',
    config_proof: 'bytes',
  }),
  validatorStats: type(0xb9f796d8, {
    mode: 'u32',
    id: 'blockIdExt',
    count: 'int',
    complete: 'Bool',
    state_proof: 'bytes',
    data_proof: 'bytes',
  }),
  libraryResult: type(0x117ab96b, { result: 'vec libraryEntry' }),
  libraryResultWithProof: type(0x10a927bf, {
    id: 'blockIdExt',
    mode: 'u32',
    result: 'vec libraryEntry',
    state_proof: 'bytes',
    data_proof: 'bytes',
  }),
  shardBlockLink: type(0xd30dcf72, { id: 'blockIdExt', proof: 'bytes' }),
  shardBlockProof: type(0x1d62a07a, { masterchain_id: 'blockIdExt', links: 'vec shardBlockLink' }),
  lookupBlockResult: type(0x99786be7, {
    id: 'blockIdExt',
    mode: 'u32',
    mc_block_id: 'blockIdExt',
    client_mc_state_proof: 'bytes',
    mc_block_proof: 'bytes',
    shard_links: 'vec shardBlockLink',
    header: 'bytes',
    prev_header: 'bytes',
  }),
  outMsgQueueSize: type(0xa7c64c85, { id: 'blockIdExt', size: 'int' }),
  outMsgQueueSizes: type(0xf8504a03, { shards: 'vec outMsgQueueSize', ext_msg_queue_size_limit: 'int' }),
  blockOutMsgQueueSize: type(0x8acdbe1b, { mode: 'u32', id: 'blockIdExt', size: 'long', proof: '[0] bytes' }),
  accountDispatchQueueInfo: type(0x9b52aabb, {
    addr: 'int256',
    size: 'long',
    min_lt: 'long',
    max_lt: 'long',
  }),
  dispatchQueueInfo: type(0x5d1132d0, {
    mode: 'u32',
    id: 'blockIdExt',
    account_dispatch_queues: 'vec accountDispatchQueueInfo',
    complete: 'Bool',
    proof: '[0] bytes',
  }),
  dispatchQueueMessage: type(0x84c423ea, {
    addr: 'int256',
    lt: 'long',
    hash: 'int256',
    metadata: 'transactionMetadata',
  }),
  dispatchQueueMessages: type(0x4b407931, {
    mode: 'u32',
    id: 'blockIdExt',
    messages: 'vec dispatchQueueMessage',
    complete: 'Bool',
    proof: '[0] bytes',
    messages_boc: '[2] bytes',
  }),
  'debug.verbosity': type(0x5d404733, { value: 'int' }),
  'nonfinal.candidateId': type(0x55047fee, {
    block_id: 'blockIdExt',
    creator: 'int256',
    collated_data_hash: 'int256',
  }),
  'nonfinal.candidate': type(0x80c3468c, {
    id: 'nonfinal.candidateId',
    data: 'bytes',
    collated_data: 'bytes',
  }),
  'nonfinal.candidateInfo': type(0x4dec01d5, {
    id: 'nonfinal.candidateId',
    available: 'Bool',
    approved_weight: 'long',
    signed_weight: 'long',
    total_weight: 'long',
  }),
  'nonfinal.validatorGroupInfo': type(0xf9d68aa7, {
    next_block_id: 'blockId',
    cc_seqno: 'int',
    prev: 'vec blockIdExt',
    candidates: 'vec nonfinal.candidateInfo',
  }),
  'nonfinal.validatorGroups': type(0x8d0b9dfe, { groups: 'vec nonfinal.validatorGroupInfo' }),
  'nonfinal.pendingShardBlocks': type(0x1fd06e4d, {
    signed_blocks: 'vec blockIdExt',
    candidates: 'vec blockIdExt',
  }),
} as const;

/** Types that a field names by a capitalised word: the value begins with the id of its type. */
export const BOXED = {
  SignatureSet: ['signatureSet.ordinary', 'signatureSet.simplex'],
  BlockLink: ['blockLinkBack', 'blockLinkForward'],
} as const;
