import type { Log } from '../../platform/observability/log.ts';
import { LIBRARY, parseBoc } from '../../ton/boc/boc.ts';
import { writeBag } from '../../ton/cell/write-bag.ts';
import { wellKnownCell } from '../../ton/contracts/codes/well-known-libraries.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import type { FetchedAccount } from '../engine/late-accounts.ts';
import { OriginError } from './origin-error.ts';
import type { OriginFiles } from './origin-files.ts';
import type { OriginBlock, OriginServers } from './origin-servers.ts';

/** Accounts that are asked for at the same time, and that may wait. */
const MAX_RUNNING = 16;
const MAX_WAITING = 1_000;
/** Longest fetch of an account with its libraries. */
const FETCH_MS = 15_000;
/** Libraries of an account, libraries of one request, and how deep libraries may name others. */
const MAX_LIBRARIES = 64;
const LIBRARIES_AT_ONCE = 16;
const MAX_ROUNDS = 4;
/** Cells of an account: as many as four times the limit of mainnet. */
const MAX_CELLS = 4 * 65_536;

interface OriginParts {
  readonly files: OriginFiles;
  readonly servers: OriginServers;
  readonly block: OriginBlock;
  readonly log: Log | null;
}

/** Accounts of the network that a chain is forked from: from disk, or from the network, which is asked once for each. */
export class OriginAccounts {
  private readonly parts: OriginParts;
  private readonly closing = new AbortController();
  private readonly fetches = new Map<string, Promise<FetchedAccount>>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

  constructor(parts: OriginParts) {
    this.parts = parts;
  }

  /** @throws OriginError no server delivers it in time, or too many accounts wait */
  fetch(account: AccountAddress): Promise<FetchedAccount> {
    const name = toAccountName(account);
    const known = this.fetches.get(name);
    if (known) return known;
    const fetch = this.inTurn(name, () => this.read(account)).finally(() => this.fetches.delete(name));
    this.fetches.set(name, fetch);
    return fetch;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await Promise.allSettled(this.fetches.values());
    await this.parts.servers.close();
  }

  private async inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
    if (this.running >= MAX_RUNNING) {
      if (this.waiting.length >= MAX_WAITING)
        throw new OriginError(`account ${name}`, `${MAX_WAITING} other accounts wait already`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.running++;
    try {
      return await work();
    } finally {
      // The next one takes the place.
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }

  private async read(address: AccountAddress): Promise<FetchedAccount> {
    const { files, servers, block } = this.parts;
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(FETCH_MS)]);
    const what = `account ${toAccountName(address)} after masterchain block ${block.seqno}`;
    const stored = files.account(address);
    const account =
      stored === undefined ? await asked(what, servers.account(block, address, signal)) : stored;
    if (account !== null) checkSize(what, account);
    const libraries = account === null ? [] : await this.libraries(account, what, signal);
    if (stored === undefined) await files.keepAccount(address, account);
    return { address, account, libraries };
  }

  /** The libraries that a bag names, and those that these name. */
  private async libraries(bag: Uint8Array, what: string, signal: AbortSignal): Promise<Uint8Array[]> {
    const found = new Map<string, Uint8Array>();
    const requested = new Set<string>();
    let bags = [bag];
    for (let round = 0; round < MAX_ROUNDS && bags.length > 0; round++) {
      const named = new Set(bags.flatMap(namedLibraries));
      const wanted = [...named]
        .filter((hash) => !requested.has(hash))
        .slice(0, MAX_LIBRARIES - requested.size);
      for (const hash of wanted) requested.add(hash);
      const cells = await this.findLibraries(wanted, what, signal);
      for (const [hash, cell] of cells) found.set(hash, cell);
      bags = [...cells.values()];
    }
    const missing = [...requested].filter((hash) => !found.has(hash));
    if (missing.length > 0)
      this.parts.log?.warn(
        { missing },
        `fork: no server has libraries of ${what}; code that needs them cannot run`,
      );
    return [...found.values()];
  }

  private async findLibraries(
    hashes: readonly string[],
    what: string,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const { files, servers } = this.parts;
    const found = new Map<string, Uint8Array>();
    for (const hash of hashes) {
      const known = wellKnownCell(hash);
      const bag = known ? writeBag(known) : files.library(hash);
      if (bag) found.set(hash, bag);
    }
    const others = hashes.filter((hash) => !found.has(hash));
    for (let from = 0; from < others.length; from += LIBRARIES_AT_ONCE) {
      const some = others.slice(from, from + LIBRARIES_AT_ONCE);
      for (const [hash, bag] of await asked(`libraries of ${what}`, servers.libraries(some, signal))) {
        await files.keepLibrary(hash, bag);
        found.set(hash, bag);
      }
    }
    return found;
  }
}

/** @throws OriginError */
function checkSize(what: string, account: Uint8Array): void {
  try {
    parseBoc(account, { maxCells: MAX_CELLS });
  } catch (cause) {
    throw new OriginError(what, `it cannot be loaded: ${(cause as Error).message}`, { cause });
  }
}

/** @throws OriginError */
async function asked<T>(what: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    const problem = isLate
      ? `no lite server answered within ${FETCH_MS / 1_000} s`
      : `${(cause as Error).message}`;
    throw new OriginError(what, problem, { cause });
  }
}

/** Hashes of the libraries that a bag names, lower-case hex. @throws BocError */
function namedLibraries(bag: Uint8Array): string[] {
  const { cellCount, type, bytes, dataStart } = parseBoc(bag);
  const found: string[] = [];
  for (let cell = 0; cell < cellCount; cell++) {
    if (type[cell] !== LIBRARY) continue;
    // The type, then the hash.
    const start = dataStart[cell]! + 1;
    found.push(toHex(bytes.subarray(start, start + 32)));
  }
  return found;
}
