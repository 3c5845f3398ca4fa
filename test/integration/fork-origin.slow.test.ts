/** The origin of a fork asks a real lite server over a socket. What the server alters is refused, and never an absent account. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toTlId } from '../../src/capture/liteserver/tl-block-id.ts';
import { forkOrigin } from '../../src/cli/compose/localnet/fork-origin.ts';
import { LiteServerError } from '../../src/liteapi/lite-errors.ts';
import { LiteListener } from '../../src/liteapi/lite-listener.ts';
import type { LiteRequest } from '../../src/liteapi/schema/codec.ts';
import { answerRequest } from '../../src/liteserver/answer-request.ts';
import { globalConfig } from '../../src/liteserver/global-config.ts';
import { openOrigin } from '../../src/localnet/origin/open-origin.ts';
import { OriginError } from '../../src/localnet/origin/origin-error.ts';
import type { OriginBlock, OriginOptions, OriginServers } from '../../src/localnet/origin/origin-servers.ts';
import { createLog } from '../../src/platform/observability/log.ts';
import type { AccountAddress } from '../../src/ton/store/store-address.ts';
import { type JudgedChain, judgedChain } from '../helpers/judged-chain.ts';

const AT = 4;
const NOBODY: AccountAddress = { workchain: 0, address: new Uint8Array(32).fill(0x77) };

type Answer = (request: LiteRequest) => Promise<Uint8Array>;
type Lie = (request: LiteRequest, honest: Answer) => Promise<Uint8Array>;
const HONEST: Lie = (request, honest) => honest(request);

describe('the origin of a fork', { timeout: 600_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-origin-'));
  const log = createLog('error', 'plain');
  let chain: JudgedChain;
  let listener: LiteListener;
  let file: string;
  let options: OriginOptions;
  let servers: OriginServers;
  let block: OriginBlock;
  let somebody: AccountAddress;
  let lie = HONEST;

  beforeAll(async () => {
    chain = await judgedChain('ordinary');
    await chain.mine(7);
    const stop = new AbortController();
    const honest: Answer = (request) => answerRequest(chain.context, request, stop.signal);
    listener = await LiteListener.open({
      host: '127.0.0.1',
      port: 0,
      seed: Buffer.alloc(32, 6),
      answer: (request) => lie(request, honest),
      onError: () => {},
    });
    file = join(directory, 'global.config.json');
    const { port, publicKey } = listener;
    writeFileSync(file, globalConfig([{ ip: '127.0.0.1', port, publicKey }], chain.context.zerostate));
    options = forkOrigin(
      { fork: ['liteserver'], at: `${AT}`, globalConfig: file, trust: 'signatures', trustedBlock: undefined },
      { data: directory, log },
    );
    somebody = chain.source.control.info.faucet.address;
    servers = options.open((await options.readConfig(null))!);
    block = await servers.block(`${AT}`, AbortSignal.timeout(60_000));
  }, 600_000);
  afterAll(async () => {
    await servers?.close();
    await listener?.close();
    await chain?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = async (account: AccountAddress) => servers.account(block, account, AbortSignal.timeout(60_000));

  it('has accounts of the block, and absent ones', async () => {
    lie = HONEST;
    expect(block.seqno).toBe(AT);
    expect((await ask(somebody))!.length).toBeGreaterThan(100);
    expect(await ask(NOBODY)).toBeNull();
  });

  it('refuses an answer with any altered byte, or gets the same from it', async () => {
    lie = HONEST;
    const found = await ask(somebody);
    let length = 0;
    let at = 0;
    lie = async (request, honest) => {
      const bytes = await honest(request);
      if (request.name !== 'getAccountState') return bytes;
      length = bytes.length;
      const altered = bytes.slice();
      altered[at]! ^= 1;
      return altered;
    };
    await ask(somebody).catch(() => null);
    let refused = 0;
    const places = 24;
    for (let place = 0; place < places; place++) {
      at = Math.floor(((place + 0.5) * length) / places);
      const outcome = await ask(somebody).catch(() => 'refused');
      if (outcome === 'refused') refused++;
      else expect(outcome).toEqual(found);
    }
    expect(refused).toBeGreaterThan(places - 3);
  });

  it('refuses true answers to another question, and errors are no absent account', async () => {
    const lies: Record<string, Lie> = {
      'another account': (request, honest) =>
        honest(withAccount(request, { workchain: 0, id: NOBODY.address })),
      'another block': (request, honest) => honest(withBlock(request, chain)),
      'an error': async (request, honest) => {
        if (request.name === 'getAccountState') throw new LiteServerError(0, 'account not found');
        return honest(request);
      },
    };
    for (const [name, one] of Object.entries(lies)) {
      lie = one;
      const outcome = await ask(somebody).then(
        (found) => `found ${found?.length}`,
        () => 'refused',
      );
      expect([name, outcome]).toEqual([name, 'refused']);
    }
  });

  it('does not begin with a configuration of another block, and stores nothing then', async () => {
    lie = (request, honest) => honest(request.name === 'getConfigAll' ? withBlock(request, chain) : request);
    const begun = openOrigin(options, { isNew: true, log: null });
    await expect(begun).rejects.toThrow(OriginError);
    lie = HONEST;
    const later = await openOrigin({ ...options, isGiven: false }, { isNew: true, log: null });
    expect(later).toBeNull();
  });

  it('is stored: a later start asks nobody, and refuses another block', async () => {
    lie = HONEST;
    const first = (await openOrigin(options, { isNew: true, log: null }))!;
    const found = await first.accounts.fetch(somebody);
    const none = await first.accounts.fetch(NOBODY);
    expect(none.account).toBeNull();
    await first.accounts.close();
    lie = async () => {
      throw new LiteServerError(0, 'gone');
    };
    const later = (await openOrigin({ ...options, isGiven: false, at: null }, { isNew: false, log: null }))!;
    expect(later.engine).toEqual(first.engine);
    expect(await later.accounts.fetch(somebody)).toEqual(found);
    expect(await later.accounts.fetch(NOBODY)).toEqual(none);
    const other: AccountAddress = { workchain: -1, address: new Uint8Array(32).fill(0x33) };
    await expect(later.accounts.fetch(other)).rejects.toThrow(`after masterchain block ${AT}`);
    await later.accounts.close();
    await expect(openOrigin({ ...options, at: '5' }, { isNew: false, log: null })).rejects.toThrow('--at 5');
  });

  it('uses the stored configuration if the file is gone, and no other', async () => {
    renameSync(file, `${file}.moved`);
    const later = (await openOrigin(options, { isNew: false, log: null }))!;
    expect(later.seqno).toBe(AT);
    await later.accounts.close();
    await expect(options.readConfig(null)).rejects.toThrow('ENOENT');
    mkdirSync(file);
    await expect(openOrigin(options, { isNew: false, log: null })).rejects.toThrow('EISDIR');
  });
});

function withAccount(request: LiteRequest, account: { workchain: number; id: Uint8Array }): LiteRequest {
  if (request.name !== 'getAccountState') return request;
  return { ...request, parameters: { ...request.parameters, account } } as LiteRequest;
}

/** The same question about the newest block. */
function withBlock(request: LiteRequest, { context }: JudgedChain): LiteRequest {
  if (request.name !== 'getAccountState' && request.name !== 'getConfigAll') return request;
  const id = toTlId(context.chain.head!.header);
  return { ...request, parameters: { ...request.parameters, id } } as LiteRequest;
}
