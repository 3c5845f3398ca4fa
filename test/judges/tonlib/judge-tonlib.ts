import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LiteContext } from '../../../src/liteserver/lite-context.ts';
import { type JudgedChain, judgedChain } from '../../helpers/judged-chain.ts';
import { packChain } from '../../helpers/pack-chain.ts';
import { accountsInEveryShard, judgedWallet, walletTransfer } from '../chain-facts.ts';
import { installPython } from '../install-python.ts';
import { LIES, type Lie, serveChain } from '../lying-server.ts';
import { NotInstalledError, Tally, type Verdict } from '../verdict.ts';
import { type TonlibAnswer, TonlibClient, toError } from './tonlib-client.ts';

/** The version of pytonlib, which contains the library. */
export const TONLIB_VERSION = '0.0.72';
const MASTERCHAIN = { '@type': 'ton.blockId', workchain: -1, shard: '-9223372036854775808' };
const LIBRARIES: Readonly<Record<string, string>> = {
  x64: 'linux/libtonlibjson.x86_64.so',
  arm64: 'linux/libtonlibjson.aarch64.so',
};

interface Tonlib {
  readonly python: string;
  readonly library: string;
}

/** @throws NotInstalledError */
async function installTonlib(): Promise<Tonlib> {
  const { python, packages } = await installPython('pytonlib', [`pytonlib==${TONLIB_VERSION}`]);
  const file = process.platform === 'linux' ? LIBRARIES[process.arch] : undefined;
  const library = file && join(packages, 'pytonlib/distlib', file);
  if (!library || !existsSync(library))
    throw new NotInstalledError('pytonlib has no library for this machine');
  return { python, library };
}

/** The unmodified library against a local chain from its zerostate. */
export async function judgeLocalChain(signatures: 'ordinary' | 'simplex'): Promise<Verdict> {
  const tonlib = await installTonlib();
  const chain = await judgedChain(signatures);
  const tally = new Tally();
  try {
    await chain.mine(24);
    await askHonestly(tonlib, chain, tally);
    for (const lie of LIES) await askLiar(tonlib, chain.context, { lie, seqno: 7, tally });
    return tally.toVerdict(
      `tonlibjson, local chain with ${signatures} signatures`,
      `pytonlib ${TONLIB_VERSION}`,
    );
  } finally {
    await chain.close();
  }
}

/**
 * The library over the first blocks of mainnet. It insists on its own first block for mainnet's zerostate, so a temporary
 * copy has one letter of that hash changed.
 */
export async function judgeGenesis(data: string): Promise<Verdict> {
  const { python, library } = await installTonlib();
  const folder = mkdtempSync(join(tmpdir(), 'judge-tonlib-'));
  const tally = new Tally();
  try {
    const states = [-1, 0].map((workchain) =>
      join(data, `accounts/states/mainnet_zerostate_${workchain}.boc`),
    );
    const context = await packChain(join(data, 'blocks/packs'), states);
    const copy = join(folder, 'libtonlibjson.so');
    const { rootHash } = context.zerostate;
    writeFileSync(copy, withoutZerostate(readFileSync(library), Buffer.from(rootHash).toString('base64')));
    await askChain({ python, library: copy }, context, tally);
    for (const lie of LIES) await askLiar({ python, library: copy }, context, { lie, seqno: 50, tally });
    return tally.toVerdict(
      'tonlibjson, first 99 masterchain blocks of mainnet',
      `pytonlib ${TONLIB_VERSION}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function withoutZerostate(library: Buffer, hash: string): Buffer {
  const at = library.indexOf(hash);
  if (at < 0) throw new NotInstalledError('the library does not contain the zerostate of mainnet');
  library[at] = library[at]! === 0x41 ? 0x42 : 0x41;
  return library;
}

/** A client for questions that count. */
function counting(client: TonlibClient, tally: Tally) {
  return async (request: { readonly '@type': string }): Promise<TonlibAnswer> => {
    const answer = await client.ask(request);
    tally.honest(request['@type'], toError(answer));
    return answer;
  };
}

/** Requests that every chain answers. Returns the head. */
async function askChain(tonlib: Tonlib, context: LiteContext, tally: Tally): Promise<void> {
  const server = await serveChain(context);
  const client = await TonlibClient.open(tonlib.python, tonlib.library, server.configFile);
  try {
    await askAbout(context, counting(client, tally));
  } finally {
    await client.close();
    await server.close();
  }
}

async function askAbout(context: LiteContext, ask: ReturnType<typeof counting>): Promise<void> {
  await ask({ '@type': 'sync' });
  const { last } = await ask({ '@type': 'blocks.getMasterchainInfo' });
  await ask({ '@type': 'blocks.getShards', id: last } as never);
  for (const seqno of [2, 5, 20])
    for (const [mode, lt, utime] of lookups(context, seqno))
      await ask({ '@type': 'blocks.lookupBlock', mode, id: { ...MASTERCHAIN, seqno }, lt, utime } as never);
  await ask({ '@type': 'blocks.getBlockHeader', id: last } as never);
  for (const account_address of accountsInEveryShard(context))
    await ask({ '@type': 'raw.getAccountState', account_address: { account_address } } as never);
  for (const param of [0, 15, 34]) await ask({ '@type': 'getConfigParam', mode: 0, param } as never);
  await ask({ '@type': 'getConfigAll', mode: 0 } as never);
  const after = {
    '@type': 'blocks.accountTransactionId',
    account: Buffer.alloc(32).toString('base64'),
    lt: 0,
  };
  await ask({ '@type': 'blocks.getTransactions', id: last, mode: 7, count: 40, after } as never);
  await ask({ '@type': 'blocks.getTransactionsExt', id: last, mode: 7, count: 40, after } as never);
  for (const seqno of [3, 12]) await ask({ '@type': 'blocks.getMasterchainBlockSignatures', seqno } as never);
  await ask({ '@type': 'liteServer.getInfo' });
}

/** Look-ups of one block by seqno, lt and time. */
function lookups({ chain }: LiteContext, seqno: number): [mode: number, lt: string, utime: number][] {
  const { endLt, genUtime } = chain.block({ workchain: -1, shard: 1n << 63n, seqno })!.header;
  return [
    [1, '0', 0],
    [2, String(endLt), 0],
    [4, '0', genUtime],
  ];
}

/** All of `askChain`, and what only a chain with contracts and an open end has. */
async function askHonestly(tonlib: Tonlib, chain: JudgedChain, tally: Tally): Promise<void> {
  const server = await serveChain(chain.context);
  const client = await TonlibClient.open(tonlib.python, tonlib.library, server.configFile);
  const ask = counting(client, tally);
  try {
    await askAbout(chain.context, ask);
    const account_address = { account_address: judgedWallet() };
    const before = await ask({ '@type': 'raw.getAccountState', account_address } as never);
    const { id } = await ask({ '@type': 'smc.load', account_address } as never);
    const method = { '@type': 'smc.methodIdName', name: 'seqno' };
    const seqno = await ask({ '@type': 'smc.runGetMethod', id, method, stack: [] } as never);
    if (seqno.exit_code !== 0) tally.failures.push(`get method seqno: ${JSON.stringify(seqno)}`);
    const message = walletTransfer(chain.context, readNumber(seqno));
    await ask({ '@type': 'raw.sendMessage', body: Buffer.from(message).toString('base64') } as never);
    await chain.mine(2);
    await ask({ '@type': 'sync' });
    const after = await ask({ '@type': 'raw.getAccountState', account_address } as never);
    if (JSON.stringify(before.last_transaction_id) === JSON.stringify(after.last_transaction_id))
      tally.failures.push('the message that was sent made no transaction');
    const from_transaction_id = after.last_transaction_id;
    await ask({ '@type': 'raw.getTransactions', account_address, from_transaction_id } as never);
  } finally {
    await client.close();
    await server.close();
  }
}

/** The only number of a get method's stack. */
function readNumber({ stack }: TonlibAnswer): number {
  const [entry] = (stack ?? []) as readonly { readonly number: { readonly number: string } }[];
  return Number(entry?.number.number ?? 0);
}

interface Trial {
  readonly lie: Lie;
  readonly seqno: number;
  readonly tally: Tally;
}

/** The first answer with the lie must be refused. */
async function askLiar(tonlib: Tonlib, context: LiteContext, { lie, seqno, tally }: Trial): Promise<void> {
  const server = await serveChain(context, { lie });
  const client = await TonlibClient.open(tonlib.python, tonlib.library, server.configFile);
  try {
    const requests = requestsFor(lie, context, seqno);
    for (const request of requests)
      tally.lie(`${lie}, ${request['@type']}`, toError(await client.ask(request)));
  } finally {
    await client.close();
    await server.close();
  }
}

/** Requests whose answers contain the lie. */
function requestsFor(lie: Lie, context: LiteContext, seqno: number): { readonly '@type': string }[] {
  const { header } = context.chain.head!;
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const id = {
    '@type': 'ton.blockIdExt',
    workchain: -1,
    shard: MASTERCHAIN.shard,
    seqno: header.seqno,
    root_hash: base64(header.rootHash),
    file_hash: base64(header.fileHash),
  };
  const accounts = accountsInEveryShard(context);
  const states = accounts.map((account_address) => ({
    '@type': 'raw.getAccountState',
    account_address: { account_address },
  }));
  switch (lie) {
    case 'turned signature bit':
      return [{ '@type': 'sync' }];
    case 'wrong account state':
      return states;
    case 'wrong block':
      return [
        { '@type': 'blocks.lookupBlock', mode: 1, id: { ...MASTERCHAIN, seqno }, lt: '0', utime: 0 } as never,
        { '@type': 'blocks.getBlockHeader', id } as never,
      ];
    case 'wrong shard proof':
      return [
        ...states.filter((_, i) => !accounts[i]!.startsWith('-1')),
        { '@type': 'blocks.getShards', id } as never,
      ];
  }
}
