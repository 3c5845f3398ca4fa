import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { userCacheDirectory } from '../platform/config/user-cache.ts';
import {
  callChain,
  changeChain,
  readLiteserver,
  toNanotons,
  toText,
  waitUntilServed,
} from './control-calls.ts';
import { copyData, makeWorkFolder, publishImage } from './data-directories.ts';
import { toForkFlags } from './fork-flags.ts';
import type {
  Impersonated,
  ImpersonatedMessage,
  Localnet,
  LocalnetAccount,
  StartOptions,
} from './localnet.ts';
import { LocalnetProcess } from './localnet-process.ts';

const START_MS = 300_000;
/** The faucet's message is executed in the first block, its transfer arrives at the latest in the second. */
const BLOCKS_OF_TRANSFER = 2;

/** `startLocalnet` of the package or clone whose modules are below `root`. */
export function createStartLocalnet(root: string): (options?: StartOptions) => Promise<Localnet> {
  return async (options = {}) => {
    const chain = new TestChain(root, options);
    try {
      return await chain.open();
    } catch (error) {
      await chain.stop();
      throw error;
    }
  };
}

/** A chain in a folder of its own: `data` is its data directory. */
class TestChain {
  private readonly launcher: string;
  private readonly options: StartOptions;
  /** Place of the prepared chain; null in a clone, whose code changes under the same version. */
  private readonly image: string | null;
  private readonly codeCache: string;
  private readonly folder = makeWorkFolder();
  private readonly data = join(this.folder, 'data');
  private running: LocalnetProcess | null = null;
  /** The last restart: the next one waits for it. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(root: string, options: StartOptions) {
    this.options = options;
    const { version, build } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly version: string;
      readonly build?: string;
    };
    this.launcher =
      [join(root, 'bin/tonhouse'), join(root, '../bin/tonhouse')].find(existsSync) ?? 'tonhouse';
    const cache = join(userCacheDirectory(), 'tonhouse', `${version}-${build ?? 'clone'}`);
    const seed = createHash('sha256')
      .update(options.seed ?? '')
      .digest('hex')
      .slice(0, 16);
    this.image = build === undefined ? null : join(cache, `localnet-${seed}`);
    this.codeCache = join(cache, 'code');
  }

  async open(): Promise<Localnet> {
    const { useImage = true, flags, fork } = this.options;
    if (this.image !== null && useImage && !flags && !fork) await this.copyImage(this.image);
    const { url } = await this.start();
    const liteserver = readLiteserver(this.data);
    const { accounts } = await this.call<{ readonly accounts: readonly LocalnetAccount[] }>('accounts', {});
    return {
      url,
      apiV2: `${url}/api/v2`,
      apiV3: `${url}/api/v3`,
      liteserver,
      accounts,
      fund: (address, amount, comment) => this.fund(address, amount, comment),
      mine: (blocks) => this.mine(blocks ?? 1),
      warp: (seconds) =>
        this.served(this.call<{ readonly seqno: number; readonly utime: number }>('warp', { seconds })),
      traffic: async (per_second) => {
        await this.call('traffic', { per_second });
      },
      setBalance: (address, balance) =>
        this.change('setBalance', { address, balance: `${toNanotons(balance)}` }),
      setCode: (address, code, data) =>
        this.change('setCode', { address, code: toText(code), ...(data && { data: toText(data) }) }),
      setData: (address, data) => this.change('setData', { address, data: toText(data) }),
      impersonate: (message) => this.impersonate(message),
      snapshot: () => this.inTurn(() => changeChain(this.data, 'snapshot', {})),
      revert: (id) => this.inTurn(() => this.revert(id)),
      stop: () => this.inTurn(() => this.stop()),
    };
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }

  private async copyImage(image: string): Promise<void> {
    if (!existsSync(image)) {
      const prepared = await this.start();
      await prepared.stop();
      await publishImage(this.data, image);
      rmSync(this.data, { recursive: true, force: true });
    }
    await copyData(join(image, 'data'), this.data);
  }

  private async start(): Promise<LocalnetProcess> {
    const { seed, blockMs, fork, flags = [], timeoutMs = START_MS } = this.options;
    const args = [
      ...['--data', this.data, '--port', '0', '--liteserver-port', '0'],
      ...[...toForkFlags(fork), ...flags],
      ...(seed === undefined ? [] : ['--localnet-seed', seed]),
      ...(blockMs === undefined ? [] : ['--block-ms', `${blockMs}`]),
    ];
    const { launcher, codeCache } = this;
    this.running = await LocalnetProcess.start({ launcher, args, codeCache, timeoutMs });
    return this.running;
  }

  private async fund(address: string, amount: bigint | string, comment = ''): Promise<string> {
    const request = { address, amount: `${toNanotons(amount)}`, comment };
    const { hash } = await this.call<{ readonly hash: string }>('fund', request);
    await this.mine(BLOCKS_OF_TRANSFER);
    return hash;
  }

  private async change(command: string, request: object): Promise<number> {
    return (await this.served(this.call<{ readonly seqno: number }>(command, request))).seqno;
  }

  private async impersonate({ value, body, init, ...rest }: ImpersonatedMessage): Promise<Impersonated> {
    const sent = await this.call<Impersonated>('impersonate', {
      ...rest,
      amount: `${toNanotons(value)}`,
      ...(body && { body: toText(body) }),
      ...(init && { init: toText(init) }),
    });
    await this.mine(1);
    return sent;
  }

  private async mine(blocks: number): Promise<number> {
    return (await this.served(this.call<{ readonly seqno: number }>('mine', { blocks }))).seqno;
  }

  private async revert(id: string): Promise<void> {
    await changeChain(this.data, 'revert', { id });
  }

  private call<T>(command: string, request: object): Promise<T> {
    return callChain<T>(this.data, command, request);
  }

  private async served<T extends { readonly seqno: number }>(made: Promise<T>): Promise<T> {
    const answer = await made;
    await waitUntilServed(this.running!.url, answer.seqno);
    return answer;
  }

  private inTurn<T>(run: () => Promise<T>): Promise<T> {
    const result = this.turn.then(run, run);
    this.turn = result.catch(() => {});
    return result;
  }
}
