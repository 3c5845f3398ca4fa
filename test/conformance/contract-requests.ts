import { CellBuilder } from '../../src/ton/cell/cell-builder.ts';
import { writeBag } from '../../src/ton/cell/write-bag.ts';
import { storeAddress } from '../../src/ton/store/store-address.ts';
import type { LooseField } from './contract-more.ts';

/* The requests that contract-errors.test.ts sends for each error of the contract. */

const HEX = 'a1'.repeat(32);
export const A = `0:${HEX}`;
const B = `0:${'b2'.repeat(32)}`;
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';
const many = (name: string, count: number, value = '1') =>
  Array.from({ length: count }, () => `${name}=${value}`).join('&');

/** A path with its query, or a path with a body. */
export type Request = string | readonly [path: string, body: unknown];

export const V3: Readonly<Record<string, readonly Request[]>> = {
  '404 blocks not found': ['masterchainBlockShardState?seqno=9', 'masterchainBlockShards?seqno=9'],
  '404 masterchain block <n> not found': [
    'transactions?mc_seqno=9',
    'transactionsByMasterchainBlock?seqno=9',
    'traces?mc_seqno=9',
    'events?mc_seqno=9',
    'actions?mc_seqno=9',
  ],
  '422 at least one of msg_hash, body_hash, opcode should be specified': [
    'transactionsByMessage',
    'transactionsByMessage?direction=in',
    `transactionsByMessage?source=${A}`,
  ],
  '404 adjacent transactions not found': [`adjacentTransactions?hash=${HEX}`],
  '422 at least 1 account address required': ['pendingTransactions'],
  '404 emulated traces not found': [
    `pendingTransactions?account=${A}`,
    `pendingTransactions?trace_id=${HEX}`,
  ],
  '422 at least 1 address required': ['addressBook', 'addressBook?address=', 'metadata'],
  '422 address of account is required': ['accountStates', 'walletStates', 'accountStates?include_boc=false'],
  '422 only one of account, trace_id, tx_hash, msg_hash should be specified': [
    `traces?account=${A}&trace_id=${HEX}`,
    `traces?tx_hash=${HEX}&msg_hash=${HEX}`,
    `events?trace_id=${HEX}&tx_hash=${HEX}`,
  ],
  '422 account or ext_msg_hash should be specified': ['pendingTraces', 'pendingActions'],
  '422 action_type contains invalid characters': [
    'actions?action_type=a-b',
    'actions?action_type=a&action_type=b%20c',
  ],
  '404 action_id not found': [`balanceChanges?action_id=${HEX}`],
  '422 exact one owner_address required for multiple jetton_address': [
    `jetton/wallets?jetton_address=${A},${B}`,
    `jetton/wallets?jetton_address=${A},${B}&owner_address=${A},${B}`,
  ],
  '422 exact one owner_address required for multiple collection_address': [
    `nft/items?collection_address=${A}&collection_address=${B}`,
  ],
  '422 index should contain digits only': [`nft/items?collection_address=${A}&index=1a`],
  '422 maximum 1000 addresses allowed': [`nft/sales?${many('address', 1_001, A)}`],
  '422 either wallet address or domain is required': ['dns/records'],
  '422 provide either wallet address or domain, not both': [`dns/records?wallet=${A}&domain=a.ton`],
  '422 at least one of contract_address or wallet_address is required': ['vesting'],
  '422 only one of contract_address or wallet_address should be specified': [
    `vesting?contract_address=${A}&wallet_address=${A}`,
  ],
  '422 opcodes list exceeds maximum length of 1000': [
    `decode?${many('opcodes', 1_001)}`,
    ['decode', { opcodes: Array.from({ length: 1_001 }, () => '1') }],
  ],
  '422 bodies list exceeds maximum length of 1000': [
    `decode?${many('bodies', 1_001)}`,
    ['decode', { bodies: Array.from({ length: 1_001 }, () => '1') }],
  ],
  '422 invalid opcode format at index <i>: <text>': [
    'decode?opcodes=1&opcodes=x',
    ['decode', { opcodes: ['x'] }],
  ],
  '401 address of account is required': ['addressInformation', 'account', 'walletInformation', 'wallet'],
  '401 boc is required': [
    ['message', {}],
    ['message', { boc: '' }],
  ],
  '401 address is required': [['runGetMethod', { method: 'x', stack: [] }]],
  '401 method is required': [['runGetMethod', { address: A, stack: [] }]],
  '422 start_utime must be less than or equal to end_utime': [
    'validators/events?start_utime=2&end_utime=1',
    'validators/elections?start_utime=2&end_utime=1',
    'validators/cycles?start_utime=2&end_utime=1',
    'validators/complaints?start_utime=2&end_utime=1',
    `staking/nominatorPools/nominatorEvents?pool=${A}&start_utime=2&end_utime=1`,
    `staking/nominatorPools/validatorRewards?pool=${A}&validator=${A}&start_utime=2&end_utime=1`,
  ],
  '422 <name> must be a 32-byte value in hex, base64 or base64url format': [
    'validators/events?adnl_address=x',
    `validators/elections?validator_pubkey=${HEX}0`,
    `validators/cycles?adnl_address=${HEX.slice(1)}`,
    'validators/complaints?validator_pubkey=%20',
  ],
  '422 provide either stake_holder_address or adnl_address, not both': [
    `validators/events?stake_holder_address=${A}&adnl_address=${HEX}`,
    `validators/cycles?stake_holder_address=${A}&adnl_address=${HEX}`,
  ],
  '422 pool parameter is required': ['staking/nominatorPools/pool', 'staking/nominatorPools/nominatorEvents'],
  '422 nominator parameter is required': ['staking/nominatorPools/nominator'],
  '422 nominator and pool parameters are required': [
    'staking/nominatorPools/nominatorRewards',
    `staking/nominatorPools/nominatorRewards?pool=${A}`,
  ],
  '422 validator or pool parameter is required': ['staking/nominatorPools/validatorEvents'],
  '422 validator and pool parameters are required': [
    `staking/nominatorPools/validatorRewards?validator=${A}`,
  ],
  '404 Pool not found': [`staking/nominatorPools/pool?pool=${A}`],
  '422 bidder address is required': ['dns/activeAuctions', 'dns/activeAuctions?bidder=x'],
  '422 state must be one of: all, won, bidding': [`dns/activeAuctions?bidder=${A}&state=x`],
  '422 use either after or offset, not both': [
    `dns/activeAuctions?bidder=${A}&offset=1&after=${Buffer.from(`${'0'.repeat(20)}:${A.toUpperCase()}`).toString('base64url')}`,
  ],
  '422 invalid after cursor': [`dns/activeAuctions?bidder=${A}&after=x`],
  '422 direction can be specified only with msg_hash or opcode': ['transactions?direction=in'],
  '422 limit must not exceed 100 when return_participants is true': [
    'validators/elections?limit=101&return_participants=true',
  ],
};

/** Errors of the contract that do not occur here, with the reason; their requests are answered with 200. */
export const V3_TAKEN: Readonly<Record<string, readonly string[]>> = {
  // v3-more.md 6.2: without a filter all are listed.
  '422 At least one of address or wallet_address should be specified': ['multisig/wallets'],
  '422 At least one of address or multisig_address should be specified': ['multisig/orders'],
  // v3-more.md 7: input of 1.2.6 is accepted.
  '422 cannot use both legacy and new message hashes': [`messages?hash=${HEX}&msg_hash=${HEX}`],
};

/** Accepted values at the edge; the values just beyond it are above. */
export const V3_INSIDE: readonly string[] = [
  `nft/sales?${many('address', 1_000, A)}`,
  `decode?${many('opcodes', 1_000)}`,
  'validators/elections?limit=100&return_participants=true',
  'validators/elections?limit=1000',
  'validators/events?start_utime=1&end_utime=1',
  `validators/cycles?adnl_address=0x${HEX}&validator_pubkey=${HEX.toUpperCase()}`,
  `validators/events?adnl_address=${Buffer.from(HEX, 'hex').toString('base64url')}`,
  `jetton/wallets?jetton_address=${A},${B}&owner_address=${A}`,
  `nft/items?collection_address=${A}&index=0&index=${'9'.repeat(70)}`,
  `dns/activeAuctions?bidder=${A}&state=won&limit=1000`,
];

/** An external message to the zero address of the masterchain, without a body. */
export const EXTERNAL = writeBag(
  new CellBuilder()
    .uint(0b1000, 4)
    .with(storeAddress, { workchain: -1, address: new Uint8Array(32) })
    .coins(0n)
    .uint(0, 2)
    .cell(),
).toBase64();
/** Values that are of another type. */
export const WRONG: Readonly<Record<NonNullable<LooseField['type']>, readonly unknown[]>> = {
  string: [1, true, {}, []],
  number: ['1', -1, 1.5, true, {}],
  boolean: [1, 'true', {}],
  array: ['x', 1, {}, true],
  object: [1, 'x', []],
};

const traceOf = (fields: object): Request => ['v1/emulateTrace', fields];
const connectOf = (fields: object): Request => ['v1/emulateTonConnect', { from: A, ...fields }];
const messages = (...list: unknown[]) => connectOf({ messages: list });
export const EMULATION: Readonly<Record<string, readonly Request[]>> = {
  '400 boc is required': [traceOf({}), traceOf({ boc: '' }), traceOf({ boc: null })],
  '400 invalid boc: …': [traceOf({ boc: 'x' }), traceOf({ boc: EMPTY_CELL.replace('=', '') })],
  '400 from address is required for emulation': [
    connectOf({ from: '', messages: [{}] }),
    ['v1/emulateTonConnect', {}],
  ],
  '400 messages array cannot be empty': [connectOf({}), messages()],
  '400 messages array cannot contain more than 4 messages': [
    messages(...Array.from({ length: 5 }, () => ({ address: A, amount: '1' }))),
  ],
  '400 message at index <i> cannot be empty': [
    messages({}),
    messages({ address: A, amount: '1' }, { address: '' }),
  ],
  '400 amount in message at index <i> cannot be empty': [
    messages({ address: A }),
    messages({ address: A, amount: '' }),
  ],
  '400 invalid amount in message at index <i>: …': [
    messages({ address: A, amount: 'x' }),
    messages({ address: A, amount: '-1' }),
    messages({ address: A, amount: `${2n ** 64n}` }),
  ],
  '400 invalid message payload at index <i>: …': [messages({ address: A, amount: '1', payload: 'x' })],
  '400 invalid message stateInit at index <i>: …': [messages({ address: A, amount: '1', stateInit: 'te6' })],
};

/** Errors that cannot happen here, with the reason. */
export const EMULATION_NEVER: Readonly<Record<string, string>> = {
  '400 address book and metadata are not available':
    'the index that they are told by is the one that is emulated on',
  "500 Can't decode base64 boc: …": 'refused before, with 400 invalid boc',
  "500 Can't deserialize message boc: …": 'refused before, with 400 invalid boc',
};

const BLOCK = { workchain: 0, shard: '-9223372036854775808', seqno: 1 };
const run = (stack: unknown): Request => ['runGetMethod', { address: A, method: 'x', stack }];
/** By the first words of the condition; a condition that has texts is answered with one of them. */
export const V2: Readonly<Record<string, readonly Request[]>> = {
  'address empty': [
    ['packAddress', {}],
    ['getAddressInformation', { address: 'x' }],
    ['getTransactions', { address: '' }],
  ],
  'required parameter missing': [
    ['getBlockHeader', { shard: '1', seqno: 1 }],
    ['getBlockHeader', { workchain: 0, seqno: 1 }],
    ['getShards', {}],
  ],
  'parameter of the wrong type': [
    ['getShards', { seqno: 'x' }],
    ['getTransactions', { address: A, archival: 'perhaps' }],
    ['getBlockHeader', { ...BLOCK, shard: 'x' }],
  ],
  'parameter out of bounds': [
    ['getShards', { seqno: 0 }],
    ['getShardBlockProof', { ...BLOCK, from_seqno: -1 }],
    ['getBlockTransactions', { ...BLOCK, count: 0 }],
    ['getBlockTransactions', { ...BLOCK, count: 10_001 }],
    ['getTransactions', { address: A, limit: 0 }],
    ['getTransactions', { address: A, limit: 1_001 }],
    ['getTransactions', { address: A, lt: -1, hash: HEX }],
    ['getBlockTransactions', { ...BLOCK, after_lt: -1, after_hash: HEX }],
    ['tryLocateTx', { source: A, destination: B, created_lt: -1 }],
    ['lookupBlock', { workchain: 0, shard: BLOCK.shard, unixtime: -1 }],
    ['getConfigParam', { param: -1 }],
  ],
  'lt without hash': [
    ['getTransactions', { address: A, lt: 1 }],
    ['getTransactions', { address: A, hash: HEX }],
    ['getTransactionsStd', { address: A, lt: 1 }],
  ],
  'after_lt without after_hash': [
    ['getBlockTransactions', { ...BLOCK, after_lt: 1 }],
    ['getBlockTransactionsExt', { ...BLOCK, after_hash: HEX }],
  ],
  'lookupBlock with none': [
    ['lookupBlock', { workchain: 0, shard: BLOCK.shard }],
    ['lookupBlock', { ...BLOCK, lt: 1 }],
  ],
  'getConfigParam with both': [
    ['getConfigParam', {}],
    ['getConfigParam', { config_id: 1, param: 1 }],
  ],
  'bad stack entry': [
    run({}),
    run([[1, 1]]),
    run([['num', {}]]),
    run([['tvm.Cell', '']]),
    run([['tvm.Slice', 1]]),
  ],
  'empty boc': [
    ['sendBoc', { boc: '' }],
    ['sendBocReturnHash', { boc: '' }],
  ],
  'base64 that does not decode': [['sendBoc', { boc: '?' }]],
  'body that is not JSON': [['packAddress', '{']],
  'JSON-RPC params not': [['jsonRPC', { method: 'packAddress', params: [1] }]],
  'unknown JSON-RPC method': [['jsonRPC', { method: 'nothing', params: {} }]],
  'unknown path': [['nothing', {}], 'getMasterchaininfo'],
  'wrong HTTP method': ['jsonRPC'],
  'transaction not located': [
    ['tryLocateTx', { source: A, destination: B, created_lt: 1 }],
    ['tryLocateResultTx', { source: A, destination: B, created_lt: 1 }],
    ['tryLocateSourceTx', { source: A, destination: B, created_lt: 1 }],
  ],
  'bag of cells that does not': [['sendBoc', { boc: 'AAAA' }]],
  'invalid field': [
    ['getLibraries', { libraries: Array.from({ length: 17 }, (_, i) => `${10 + i}`.repeat(32)) }],
  ],
  'block not known': [
    ['getShards', { seqno: 9 }],
    ['getBlockHeader', { ...BLOCK, seqno: 2 ** 31 - 1 }],
  ],
  'lt and hash name no': [['getTransactions', { address: A, lt: 1, hash: HEX }]],
  'stack entry type not supported': [run([['tvm.Builder', '']])],
};
/** Contracts of a local chain that requests name, by raw address. */
export interface ChainContracts {
  /** No wallet and no token; its get methods, of any name, leave a tuple in a tuple and so on, 300 deep. */
  readonly deep: string;
  /** A wallet of version 2. */
  readonly oldWallet: string;
}

type OnChain = Readonly<Record<string, (contracts: ChainContracts) => readonly Request[]>>;

/** Errors that take accounts and a chain. */
export const V3_ON_CHAIN: OnChain = {
  '409 not a wallet': ({ deep }) => [`walletInformation?address=${deep}`, `wallet?address=${deep}`],
  '500 unsupported stack parameter type: <t>': ({ deep }) => [
    ['runGetMethod', { address: deep, method: 'x', stack: [{ type: 'tuple', value: [] }] }],
    ['runGetMethod', { address: deep, method: 'x', stack: [{ type: 'x', value: '1' }] }],
  ],
};
const toA = { messages: [{ address: A, amount: '1' }] };
export const EMULATION_ON_CHAIN: OnChain = {
  '500 EmulationExternalNotAccepted: <exit code>': () => [traceOf({ boc: EXTERNAL })],
  '500 mc block seqno is too new': () => [traceOf({ boc: EXTERNAL, mc_block_seqno: 1_000_000 })],
  '500 Account is not a known wallet': ({ deep }) => [connectOf({ ...toA, from: deep })],
  '500 Account state no code or no data': () => [connectOf(toA)],
  '500 Unsupported wallet type: <n>': ({ oldWallet }) => [connectOf({ ...toA, from: oldWallet })],
};
export const V2_ON_CHAIN: OnChain = {
  'not a token': ({ deep }) => [['getTokenData', { address: deep }]],
  'external message refused': () => [['sendBoc', { boc: EXTERNAL }]],
  'result stack nested too deep': ({ deep }) => [['runGetMethod', { address: deep, method: 'x', stack: [] }]],
};
/** Errors of servers that are asked anything; the test has such servers by these names. */
export const V2_OF_SERVERS = [
  'API key unknown',
  'API key of another network',
  'rate limit',
  'node did not answer in time',
  'no node available',
  'any other internal failure',
] as const;

export const subscription = { types: ['actions'], addresses: [A] };
/** Subscriptions that are refused, by the words of SSE. */
export const SUBSCRIPTIONS: Readonly<Record<string, readonly unknown[]>> = {
  'invalid subscription request: …': [
    null,
    [],
    { types: 'actions' },
    { ...subscription, addresses: [1] },
    { ...subscription, min_finality: 'x' },
    { ...subscription, include_metadata: 1 },
  ],
  'types are required for subscription': [{}, { types: [] }],
  'invalid event type: <t>': [{ types: ['blocks'], addresses: [A] }],
  'invalid address: <a>': [{ types: ['actions'], addresses: ['x'] }],
  'trace_external_hash_norms contains empty value': [{ types: ['trace'], trace_external_hash_norms: [' '] }],
  'trace_external_hash_norms requires type "trace"': [{ ...subscription, trace_external_hash_norms: [HEX] }],
  'trace_external_hash_norms are required for trace subscription': [{ types: ['trace'] }],
  'addresses are required for subscription': [
    { types: ['actions'] },
    { types: ['trace', 'actions'], trace_external_hash_norms: [HEX] },
  ],
  'too many addresses: <n> > max <m>': [{ ...subscription, addresses: [A, B] }],
};
/** Errors of frames, by the words of the contract. */
export const FRAMES: Readonly<Record<string, readonly unknown[]>> = {
  'invalid request envelope: …': ['{', { operation: 'ping', id: 1 }, '[]'],
  'addresses or trace_external_hash_norms are required': [
    { operation: 'unsubscribe' },
    { operation: 'unsubscribe', addresses: [], trace_external_hash_norms: [] },
  ],
  'unknown operation: <o>': [{ operation: 'x' }, {}],
};
/** Refusal of connections in addition to an open one. */
export const TOO_MANY_STREAMS = 'connection limit reached: <n> active connections';
