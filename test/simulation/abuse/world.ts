import { mkdtempSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { genesisWallets } from '../../../src/localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../../src/localnet/localnet-source.ts';
import { walletMessage } from '../../../src/localnet/wallets/transfer.ts';
import { formatRaw } from '../../../src/ton/address/address.ts';
import { writeBag } from '../../../src/ton/cell/write-bag.ts';
import { toBase64 } from '../../../src/ton/hash/base64.ts';
import type { SeededRandom } from '../../helpers/seeded-random.ts';
import { residentMegabytes } from '../common/resident-memory.ts';
import type { AttackContext, KnownAccounts } from './attack.ts';
import { callHttp, jsonCall, type Route } from './http-call.ts';
import { compileHostileContract, type HostileContract } from './payloads/hostile-contract.ts';
import { ServerUnderAttack } from './server-under-attack.ts';
import { honestCalls, untouchedWallet, wrongHonestAnswer } from './watch/honest-calls.ts';
import { type Observation, Watch } from './watch/watch.ts';

const SEED = 'abuse';
const TON = 1_000_000_000n;
const READY_MS = 60_000;
/** Elsewhere only 127.0.0.1 is an address of this machine, and attackers and honest clients look alike. */
const MANY_ADDRESSES = platform() === 'linux';

/** A server with its local chain, a hostile contract on it, and an observer. */
export class World {
  readonly seed = SEED;
  readonly random: SeededRandom;
  readonly contract: HostileContract;
  readonly accounts: KnownAccounts;
  readonly #folder: string;
  readonly #isTemporary: boolean;
  #server: ServerUnderAttack | null = null;
  #watch: Watch | null = null;
  #restingMb = 0;
  #starts = 0;

  private constructor(random: SeededRandom, contract: HostileContract, folder: string | undefined) {
    this.random = random;
    this.contract = contract;
    this.accounts = {
      wallet: rawOf(untouchedWallet(SEED).address),
      hostile: rawOf(contract.address),
    };
    this.#folder = folder ?? mkdtempSync(join(tmpdir(), 'tonhouse-abuse-'));
    this.#isTemporary = folder === undefined;
  }

  static async open(random: SeededRandom, folder?: string): Promise<World> {
    const world = new World(random, await compileHostileContract(1), folder);
    try {
      await world.begin();
    } catch (error) {
      await world.close();
      throw error;
    }
    return world;
  }

  get server(): ServerUnderAttack {
    if (!this.#server) throw new Error('the server has not begun');
    return this.#server;
  }

  get watch(): Watch {
    if (!this.#watch) throw new Error('the server has not begun');
    return this.#watch;
  }

  /**
   * Resident memory of the server before any attack, MB: at rest or, after a restart, when it had answered every honest
   * call.
   */
  get restingMb(): number {
    return this.#restingMb;
  }

  get attackRoute(): Route {
    return { ...this.#at(), ...(MANY_ADDRESSES && { from: '127.0.0.3' }) };
  }

  get addresses(): AttackContext['addresses'] {
    const many = Array.from({ length: MANY_ADDRESSES ? 200 : 1 }, (_, at) =>
      MANY_ADDRESSES ? `127.0.1.${at + 1}` : undefined,
    );
    return { many, honest: this.honestRoute.from };
  }

  get honestRoute(): Route {
    return { ...this.#at(), ...(MANY_ADDRESSES && { from: '127.0.0.2' }) };
  }

  /** A new server on a new directory, in place of any other. */
  async begin(): Promise<void> {
    await this.#watch?.stop();
    await this.#server?.end();
    const directory = join(this.#folder, `run-${++this.#starts}`);
    this.#server = await ServerUnderAttack.start(directory, SEED);
    await this.#untilHonest();
    await this.#deploy();
    this.#look();
  }

  /** The server that has ended, again, on what it left; resolves when every honest call is answered rightly. */
  async restart(): Promise<void> {
    await this.watch.stop();
    this.#server = await ServerUnderAttack.start(join(this.#folder, `run-${this.#starts}`), SEED);
    await this.#untilHonest();
    this.#look();
  }

  /** The honest client has the server to itself for this time, ms: the result is the baseline for attacks. */
  async rest(ms: number): Promise<Observation> {
    await this.watch.take();
    await sleep(ms);
    const seen = await this.watch.take();
    this.#restingMb = seen.serverMb;
    return seen;
  }

  async close(): Promise<void> {
    await this.#watch?.stop();
    await this.#server?.end();
    if (this.#isTemporary)
      rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  #at(): Route {
    return { host: this.server.host, port: this.server.port };
  }

  #look(): void {
    this.#restingMb = residentMegabytes(this.server.pid) ?? 0;
    this.#watch = new Watch(this.server, this.honestRoute, SEED);
  }

  async #untilHonest(): Promise<void> {
    const deadline = Date.now() + READY_MS;
    for (const honest of honestCalls(SEED)) {
      for (;;) {
        const { status, text } = await callHttp(this.honestRoute, { ...honest.call, timeoutMs: 20_000 });
        const wrong = wrongHonestAnswer(honest, status, text);
        if (wrong === null) break;
        if (this.server.gone || Date.now() > deadline) throw new Error(`the server is not ready: ${wrong}`);
        await sleep(200);
      }
    }
  }

  /** The hostile contract, from a wallet of the genesis. */
  async #deploy(): Promise<void> {
    const owner = genesisWallets(SEED, LOCALNET_GLOBAL_ID).wallets.find(({ version }) => version === 'v4r2')!;
    const { code, data, address } = this.contract;
    const transfer = { to: address, value: 100_000n * TON, bounce: false, stateInit: { code, data } };
    const validUntil = Math.floor(Date.now() / 1000) + 600;
    const boc = toBase64(
      writeBag(walletMessage(owner, [transfer], { seqno: 0, validUntil }), { index: false }),
    );
    await callHttp(this.honestRoute, jsonCall('/api/v3/message', { boc }));
    const ask = jsonCall('/api/v3/runGetMethod', { address: rawOf(address), method: 'dataDepth', stack: [] });
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await sleep(200)) {
      const { status, text } = await callHttp(this.honestRoute, ask);
      if (status === 200 && (JSON.parse(text) as { exit_code: number }).exit_code === 0) return;
    }
    throw new Error('the hostile contract was not deployed');
  }
}

function rawOf({ workchain, address }: HostileContract['address']): string {
  return formatRaw(workchain, address);
}
