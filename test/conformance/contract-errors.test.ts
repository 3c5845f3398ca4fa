import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '../../src/api/chain-port.ts';
import { HttpError } from '../../src/api/http/http-error.ts';
import { buildServer } from '../../src/api/serve-stage.ts';
import { readSubscription, SOCKET_WORDS, SSE_WORDS } from '../../src/api/streaming/read-subscription.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { type IndexedStore, openIndexedStore } from '../helpers/indexed-store.ts';
import { viewOf } from '../helpers/version-vector.ts';
import { emulationErrors, streamErrors, v2Errors, v3Errors } from './contract-errors.ts';
import { hasContract } from './contract-tables.ts';

/*
 * Every error that the contract names against a server whose index is empty: a request for each that is answered with its
 * status and its text. What takes accounts or a chain is shown by the test that is named for it.
 */

const HEX = 'a1'.repeat(32);
const A = `0:${HEX}`;
const B = `0:${'b2'.repeat(32)}`;
const EMPTY_CELL = 'te6cckEBAQEAAgAAAEysuc0=';
const many = (name: string, count: number, value = '1') =>
  Array.from({ length: count }, () => `${name}=${value}`).join('&');

/** A path with its query, or a path with a body. */
type Request = string | readonly [path: string, body: unknown];

const V3: Readonly<Record<string, readonly Request[]>> = {
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

/** What is answered otherwise, with its reason; the requests are answered with 200. */
const V3_TAKEN: Readonly<Record<string, readonly string[]>> = {
  // v3-more.md 6.2: without a filter all are listed.
  '422 At least one of address or wallet_address should be specified': ['multisig/wallets'],
  '422 At least one of address or multisig_address should be specified': ['multisig/orders'],
  // v3-more.md 7: what 1.2.6 takes is taken.
  '422 cannot use both legacy and new message hashes': [`messages?hash=${HEX}&msg_hash=${HEX}`],
};

/** Words of ours in the place of the contract's, with their reason. */
const OUR_WORDS: Readonly<Record<string, string>> = {
  // As every list that is too long.
  'maximum 1000 addresses allowed': 'address list exceeds maximum length of 1000',
};

/** Errors that take accounts or a chain, and where they are shown. */
const V3_ELSEWHERE: Readonly<Record<string, string>> = {
  '409 not a wallet': 'e2e/localnet-api.test.ts',
  '500 unsupported stack parameter type: <t>': 'e2e/localnet-api.test.ts',
};

/** Values at the edge that are taken, beside those just beyond it above. */
const V3_INSIDE: readonly string[] = [
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

const traceOf = (fields: object): Request => ['v1/emulateTrace', fields];
const connectOf = (fields: object): Request => ['v1/emulateTonConnect', { from: A, ...fields }];
const messages = (...list: unknown[]) => connectOf({ messages: list });
const EMULATION: Readonly<Record<string, readonly Request[]>> = {
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

/** What takes a chain or accounts, and what cannot happen here, with the test or the reason. */
const EMULATION_ELSEWHERE: Readonly<Record<string, string>> = {
  '500 EmulationExternalNotAccepted: <exit code>': 'e2e/emulate.test.ts',
  '500 mc block seqno is too new': 'e2e/emulate.test.ts',
  '500 Account is not a known wallet': 'e2e/emulate.test.ts',
  '500 Account state no code or no data': 'e2e/emulate.test.ts',
  '500 Unsupported wallet type: <n>': 'unit/api/emulate/wallet-message.test.ts',
};
const EMULATION_NEVER: Readonly<Record<string, string>> = {
  '400 address book and metadata are not available':
    'the index that they are told by is the one that is emulated on',
  "500 Can't decode base64 boc: …": 'refused before, with 400 invalid boc',
  "500 Can't deserialize message boc: …": 'refused before, with 400 invalid boc',
};

const BLOCK = { workchain: 0, shard: '-9223372036854775808', seqno: 1 };
const run = (stack: unknown): Request => ['runGetMethod', { address: A, method: 'x', stack }];
/** By the first words of the condition; a condition that has texts is answered with one of them. */
const V2: Readonly<Record<string, readonly Request[]>> = {
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
const V2_ELSEWHERE: Readonly<Record<string, string>> = {
  'API key unknown': 'unit/api/http/rate-limits.test.ts',
  'API key of another network': 'unit/api/http/rate-limits.test.ts',
  'rate limit': 'unit/api/http/rate-limits.test.ts',
  'not a token': 'e2e/localnet-tokens.test.ts',
  'external message refused': 'e2e/localnet-api.test.ts',
  'node did not answer in time': 'unit/api/http/route-bounds.test.ts',
  'no node available': 'unit/api/v2/v2-plugin.test.ts',
  'result stack nested too deep': 'unit/api/v2/stack-format.test.ts',
  'any other internal failure': 'unit/api/v2/v2-plugin.test.ts',
};

const subscription = { types: ['actions'], addresses: [A] };
/** What a subscription is refused for, by the words of SSE. */
const SUBSCRIPTIONS: Readonly<Record<string, readonly unknown[]>> = {
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
/** Errors of frames, and of connections, which streaming.test.ts asks for over both transports. */
const STREAMS_ELSEWHERE = [
  'invalid request envelope: ',
  'addresses or trace_external_hash_norms are required',
  'unknown operation: ',
  'connection limit reached: ',
];

/** Runs nothing: everything is refused before. */
const chain: ChainPort = {
  runner: {
    runGetMethod: () => Promise.reject(new Error('nothing is run')),
    tryTransaction: () => Promise.reject(new Error('nothing is run')),
  },
  outlet: { send: () => Promise.reject(new Error('nothing is sent')) },
  states: null,
};

/** The text with anything in its places. */
function pattern(text: string): RegExp {
  const parts = text.split(/<\w[\w ]*>|…/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}

const isTold = (text: string, error = '') =>
  pattern(`${text}…`).test(error) || error.startsWith(placed(text));
const sourceOf = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8');
const placed = (text: string) => text.split(/<|…/)[0]!.trim();

if (!hasContract) console.log('skipped: errors of the contract: ../shared/contract is not here');

describe.skipIf(!hasContract)('errors of the contract', () => {
  if (!hasContract) return;
  let count = 0;
  const check = <T>(found: T, wanted: T, what: string) => {
    count++;
    expect({ what, found }).toEqual({ what, found: wanted });
  };
  let store: IndexedStore;
  let app: FastifyInstance;
  beforeAll(async () => {
    store = await openIndexedStore({ folders: [], contracts: true, visible: { first: 1, last: 3 } });
    const [traces, actions] = await Promise.all(
      ['traces', 'actions'].map(async (projection) => {
        const directory = resolve(import.meta.dirname, '../../clickhouse');
        await migrate(store.client, {
          network: 'serve_test',
          projection,
          version: 1,
          directory,
          epochSize: 40,
        });
        return viewOf(versionDatabase('serve_test', projection, 1), { first: 1, last: 3 });
      }),
    );
    const vector = () => ({ ...store.context.vector(), traces: traces!, actions: actions! });
    app = await buildServer({ ...store.context, vector, chain });
  }, 300_000);
  afterAll(async () => {
    await app?.close();
    await store?.close();
    console.log(`contract, errors: ${count} facts checked`);
  });

  async function ask(base: string, request: Request) {
    const [path, body] = typeof request === 'string' ? [request, null] : request;
    const url = `${base}/${path}`;
    const headers = { 'content-type': 'application/json' };
    const payload = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await app.inject(body === null ? { url } : { method: 'POST', url, headers, payload });
    return {
      status: reply.statusCode,
      json: reply.json() as { code?: number; error?: string; ok?: boolean },
    };
  }
  const told = (request: Request) => JSON.stringify(request).slice(0, 120);
  const keyOf = ({ status, text }: { readonly status: number; readonly text: string }) => `${status} ${text}`;

  it('are all asked for, or shown elsewhere', () => {
    const v3 = [V3, V3_TAKEN, V3_ELSEWHERE].flatMap((table) => Object.keys(table));
    expect(v3.toSorted()).toEqual(v3Errors().map(keyOf).toSorted());
    const emulation = [EMULATION, EMULATION_ELSEWHERE, EMULATION_NEVER].flatMap((table) =>
      Object.keys(table),
    );
    expect(emulation.toSorted()).toEqual(emulationErrors().map(keyOf).toSorted());
    for (const { condition } of v2Errors())
      expect([condition, [V2, V2_ELSEWHERE].flatMap((table) => nameIn(table, condition)).length]).toEqual([
        condition,
        1,
      ]);
    const streams = streamErrors().flatMap(({ sse }) => (sse === null || sse.endsWith('.md') ? [] : [sse]));
    const known = [...Object.keys(SUBSCRIPTIONS), 'connection limit reached: <n> active connections'];
    expect(known.toSorted()).toEqual(streams.toSorted());
    for (const [text, file] of Object.entries({ ...V3_ELSEWHERE, ...EMULATION_ELSEWHERE })) {
      const source = sourceOf(file);
      const isThere = source.includes(placed(text.slice(4))) || source.includes(`toBe(${text.slice(0, 3)})`);
      check(isThere, true, `${text} is in ${file}`);
    }
    for (const text of STREAMS_ELSEWHERE)
      check(sourceOf('e2e/streaming.test.ts').includes(text), true, `${text} is in streaming.test.ts`);
  });

  it.each(Object.entries(V3))('of v3: %s', async (error, requests) => {
    const [status, named] = [Number(error.slice(0, 3)), error.slice(4)];
    const text = OUR_WORDS[named] ?? named;
    for (const request of requests) {
      const answer = await ask('/api/v3', request);
      check(
        answer,
        { status, json: { code: status, error: expect.stringMatching(pattern(text)) } },
        told(request),
      );
    }
  });

  it('of v3 are no errors at the edge, nor where the contract advises so', async () => {
    for (const request of [...V3_INSIDE, ...Object.values(V3_TAKEN).flat()])
      check((await ask('/api/v3', request)).status, 200, told(request));
  });

  it.each(Object.entries(EMULATION))('of the emulation: %s', async (error, requests) => {
    const [status, text] = [Number(error.slice(0, 3)), error.slice(4)];
    for (const request of requests) {
      const answer = await ask('/api/emulate', request);
      const wanted = expect.stringMatching(pattern(`invalid request: ${text}`));
      check(answer, { status, json: expect.objectContaining({ error: wanted }) }, told(request));
    }
  });

  it.each(v2Errors().map((row) => [row.condition, row] as const))(
    'of v2: %s',
    async (condition, { status, texts, isOpen }) => {
      const [file] = nameIn(V2_ELSEWHERE, condition);
      if (file) {
        const source = sourceOf(V2_ELSEWHERE[file]!);
        check(source.includes(String(status)), true, `${condition} is in ${V2_ELSEWHERE[file]}`);
        return;
      }
      const [name] = nameIn(V2, condition);
      const found = new Set<string>();
      for (const request of V2[name!]!) {
        const { status: got, json } = await ask('/api/v2', request);
        check([got, json.ok, json.code], [status, false, status], told(request));
        check('result' in json, false, `${told(request)}: no result`);
        const text = texts.find((one) => json.error === one) ?? texts.find((one) => isTold(one, json.error));
        const isFree = texts.length === 0 || isOpen;
        check([text !== undefined || isFree, json.error], [true, json.error], told(request));
        if (text !== undefined) found.add(text);
      }
      if (condition === 'parameter out of bounds') check(found.size, texts.length, 'every bound of the row');
    },
  );

  it('of subscriptions, in the words of either transport', () => {
    const words = new Map(streamErrors().map(({ sse, socket }) => [sse, socket]));
    for (const [text, bodies] of Object.entries(SUBSCRIPTIONS))
      for (const body of bodies)
        for (const [rules, wanted] of [
          [SSE_WORDS, text],
          [SOCKET_WORDS, words.get(text)!],
        ] as const) {
          let found: unknown = 'taken';
          try {
            readSubscription(body, { words: rules, mostAddresses: 1, actionsVersion: null });
          } catch (error) {
            if (!(error instanceof HttpError)) throw error;
            found = [error.status, error.message];
          }
          check(found, [400, expect.stringMatching(pattern(wanted))], JSON.stringify(body));
        }
    check(
      readSubscription(subscription, { words: SSE_WORDS, mostAddresses: 1, actionsVersion: null }).addresses
        .size,
      1,
      'one address',
    );
  });
});

/** Names of a table that a condition begins with. */
function nameIn(table: Readonly<Record<string, unknown>>, condition: string): readonly string[] {
  return Object.keys(table).filter((name) => condition.startsWith(name));
}
