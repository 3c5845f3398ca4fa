import { Address } from '@ton/core';
import { LiteClient, LiteSingleEngine } from 'ton-lite-client';
import { readCell } from '../../../src/ton/cell/cells-of-bag.ts';
import { readShardHashes } from '../../../src/ton/decode/block-header.ts';
import { visitTransactions } from '../../../src/ton/proofs/visit-transactions.ts';
import { Visits } from '../../../src/ton/proofs/visits.ts';
import { judgedChain } from '../../helpers/judged-chain.ts';
import { accountsInEveryShard, judgedWallet, walletTransfer } from '../chain-facts.ts';
import { serveChain } from '../lying-server.ts';
import { Tally, type Verdict } from '../verdict.ts';

const VERSION = '3.1.1';
const READY_MS = 20_000;

/** ton-lite-client of npm against a local chain: its answers must be the chain's. */
export async function judgeLiteClient(): Promise<Verdict> {
  const chain = await judgedChain('ordinary');
  await chain.mine(24);
  const server = await serveChain(chain.context);
  const engine = new LiteSingleEngine({
    host: `tcp://127.0.0.1:${server.port}`,
    publicKey: Buffer.from(server.publicKey),
  });
  const tally = new Tally();
  try {
    for (const end = Date.now() + READY_MS; !engine.isReady() && Date.now() < end; )
      await new Promise((resolve) => setTimeout(resolve, 50));
    await askAll(new LiteClient({ engine }), chain, tally);
    return tally.toVerdict('ton-lite-client, local chain', VERSION);
  } finally {
    engine.close();
    await server.close();
    await chain.close();
  }
}

type Chain = Awaited<ReturnType<typeof judgedChain>>;
/** A question, and the answer that the chain itself gives. */
type Check = readonly [name: string, ask: () => Promise<readonly [found: unknown, expected: unknown]>];

async function askAll(client: LiteClient, chain: Chain, tally: Tally): Promise<void> {
  const checks = [
    ...headChecks(client, chain),
    ...blockChecks(client, chain),
    ...accountChecks(client, chain),
    ...historyChecks(client, chain),
  ];
  for (const [name, ask] of checks) {
    try {
      const [found, expected] = await ask();
      tally.honest(name, `${found}` === `${expected}` ? null : `found ${found}, expected ${expected}`);
    } catch (error) {
      tally.honest(name, String(error));
    }
  }
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const MASTERCHAIN = { workchain: -1, shard: '-9223372036854775808' };

function getHead({ context }: Chain) {
  const { header } = context.chain.head!;
  const { seqno, rootHash, fileHash } = header;
  return {
    header,
    id: { ...MASTERCHAIN, seqno, rootHash: Buffer.from(rootHash), fileHash: Buffer.from(fileHash) },
  };
}

function headChecks(client: LiteClient, chain: Chain): Check[] {
  const { header, id } = getHead(chain);
  return [
    [
      'getMasterchainInfo',
      async () => {
        const { last } = await client.getMasterchainInfo();
        return [`${last.seqno} ${hex(last.rootHash)}`, `${header.seqno} ${hex(header.rootHash)}`];
      },
    ],
    [
      'getMasterchainInfoExt',
      async () => [(await client.getMasterchainInfoExt()).lastUtime, header.genUtime],
    ],
    ['getCurrentTime', async () => [(await client.getCurrentTime()) > 1_700_000_000, true]],
    ['getVersion', async () => [(await client.getVersion()).version, 0x101]],
    ['getConfig', async () => [(await client.getConfig(id)) !== undefined, true]],
    ['getLibraries', async () => [(await client.getLibraries([Buffer.alloc(32)])).result.length, 0]],
  ];
}

function blockChecks(client: LiteClient, chain: Chain): Check[] {
  const { header, id } = getHead(chain);
  const blocks = chain.context.chain;
  const seventh = blocks.block({ workchain: -1, shard: 1n << 63n, seqno: 7 })!.header;
  return [
    [
      'lookupBlockByID',
      async () => [
        hex((await client.lookupBlockByID({ ...MASTERCHAIN, seqno: 7 })).id.rootHash),
        hex(seventh.rootHash),
      ],
    ],
    [
      'lookupBlockByLt',
      async () => [(await client.lookupBlockByLt({ ...MASTERCHAIN, lt: seventh.endLt })).id.seqno, 7],
    ],
    [
      'lookupBlockByUtime',
      async () => [
        (await client.lookupBlockByUtime({ ...MASTERCHAIN, utime: seventh.genUtime })).id.seqno,
        7,
      ],
    ],
    ['getBlockHeader', async () => [(await client.getBlockHeader(id)).id.seqno, header.seqno]],
    [
      'getAllShardsInfo',
      async () => {
        const { shards } = await client.getAllShardsInfo(id);
        const expected = readShardHashes(blocks.head!.boc).map(({ seqno }) => seqno);
        return [
          Object.values(shards['0'] ?? {})
            .sort()
            .join(),
          expected.sort().join(),
        ];
      },
    ],
    [
      'listBlockTransactions',
      async () => {
        const { ids } = await client.listBlockTransactions(id);
        return [ids.length, visitTransactions(new Visits(), blocks.head!.root).length];
      },
    ],
    ['getFullBlock', async () => [(await client.getFullBlock(header.seqno)).shards.length > 1, true]],
  ];
}

function accountChecks(client: LiteClient, chain: Chain): Check[] {
  const { id } = getHead(chain);
  const wallet = Address.parseRaw(judgedWallet());
  const states = accountsInEveryShard(chain.context).map((account): Check => {
    const address = Address.parseRaw(account);
    return [
      `getAccountState ${account.slice(0, 6)}`,
      async () => {
        const { raw, lastTx } = await client.getAccountState(address, id);
        const { stateHash } = await client.getAccountStatePrunned(address, id);
        const whole = raw.length > 0 ? readCell(raw).hash() : new Uint8Array();
        return [`${hex(stateHash ?? Buffer.alloc(0))} ${lastTx !== null}`, `${hex(whole)} ${raw.length > 0}`];
      },
    ];
  });
  return [
    ...states,
    ['runMethod', async () => [(await client.runMethod(wallet, 'seqno', Buffer.alloc(0), id)).exitCode, 0]],
    [
      'sendMessage',
      async () => [(await client.sendMessage(Buffer.from(walletTransfer(chain.context, 0)))).status, 1],
    ],
  ];
}

function historyChecks(client: LiteClient, chain: Chain): Check[] {
  const { id } = getHead(chain);
  const last = visitTransactions(new Visits(), chain.context.chain.head!.root).at(-1)!;
  const address = new Address(-1, Buffer.from(last.account));
  const lt = String(last.lt);
  return [
    [
      'getAccountTransaction',
      async () => {
        const { transaction } = await client.getAccountTransaction(address, lt, id);
        return [hex(readCell(transaction).hash()), hex(last.cell.hash())];
      },
    ],
    [
      'getAccountTransactions',
      async () => {
        const hash = Buffer.from(last.cell.hash());
        return [(await client.getAccountTransactions(address, lt, hash, 4)).ids.length, 4];
      },
    ],
  ];
}
