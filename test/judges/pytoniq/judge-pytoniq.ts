import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { LiteContext } from '../../../src/liteserver/lite-context.ts';
import type { BlockId } from '../../../src/ton/decode/block-header.ts';
import { type JudgedChain, judgedChain } from '../../helpers/judged-chain.ts';
import { accountsInEveryShard, judgedWallet } from '../chain-facts.ts';
import { installPython } from '../install-python.ts';
import { type JudgedServerOptions, serveChain } from '../lying-server.ts';
import { Tally, type Verdict } from '../verdict.ts';

const VERSION = '0.1.43';
const SCRIPT = resolve(import.meta.dirname, '../python/pytoniq_judge.py');
/** A parameter that nothing else here needs: its change makes a key block. */
const FREE_PARAM = -7;

interface Line {
  readonly request: string;
  readonly accepted: boolean;
  readonly error?: string;
}

/** pytoniq with all proofs on, from a key block: the library does not start from a zerostate. */
export async function judgePytoniq(): Promise<Verdict> {
  const { python } = await installPython('pytoniq', [`pytoniq==${VERSION}`]);
  const chain = await judgedChain('ordinary');
  const tally = new Tally();
  try {
    const initBlock = await makeKeyBlock(chain);
    await chain.mine(10);
    for (const { request, accepted, error } of await ask(python, chain.context, { initBlock }, false))
      tally.honest(request, accepted ? null : (error ?? 'refused'));
    const lies = await ask(python, chain.context, { initBlock, lie: 'turned signature bit' }, true);
    for (const { request, accepted, error } of lies)
      tally.lie(`turned signature bit, ${request}`, accepted ? null : (error ?? 'refused'));
    return tally.toVerdict('pytoniq at trust level 0, local chain', VERSION);
  } finally {
    await chain.close();
  }
}

async function makeKeyBlock(chain: JudgedChain): Promise<BlockId> {
  await chain.mine(12);
  await chain.source.control.changeConfig(FREE_PARAM, Buffer.from('te6cckEBAQEAAgAAAEysuc0=', 'base64'));
  await chain.mine(1);
  const { header } = chain.context.chain.head!;
  if (!header.keyBlock) throw new Error(`masterchain block ${header.seqno} is no key block`);
  return header;
}

async function ask(
  python: string,
  context: LiteContext,
  options: JudgedServerOptions,
  only_connect: boolean,
): Promise<Line[]> {
  const server = await serveChain(context, options);
  const facts = { seqno: 5, accounts: accountsInEveryShard(context), wallet: judgedWallet(), only_connect };
  try {
    // The library keeps proven blocks in its working directory.
    const cwd = dirname(server.configFile);
    const { stdout } = await promisify(execFile)(python, [SCRIPT, server.configFile, JSON.stringify(facts)], {
      cwd,
    });
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  } finally {
    await server.close();
  }
}
