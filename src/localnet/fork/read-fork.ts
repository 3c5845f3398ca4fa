import { DataError } from '../../platform/errors/error-kinds.ts';
import { errorCode } from '../../platform/files/list-files.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { BocError } from '../../ton/boc/boc-error.ts';
import { CellError } from '../../ton/boc/cell-error.ts';
import type { Cell } from '../../ton/cell/cell.ts';
import { toHex } from '../../ton/hash/hex.ts';
import { sha256 } from '../../ton/hash/sha256.ts';
import { toAccountName } from '../../ton/store/store-address.ts';
import type { ForkedAccount, ReadFork } from './fork.ts';
import { ForkError } from './fork-error.ts';
import { type ListedFile, listForkFiles } from './fork-files.ts';
import { findLibraries } from './fork-libraries.ts';
import { ForkNotices } from './fork-notices.ts';
import { type ForkedConfig, type ForkFile, type ReadAccount, readForkFile } from './read-fork-file.ts';

/** Bytes and cells of all files together: the chain keeps its states in memory, some hundred bytes for each cell. */
const MAX_FORK_BYTES = 64 * 2 ** 20;
const MAX_FORK_CELLS = 2 ** 21;

/** Roles of the local chain's own accounts by `toAccountName`: these accounts are not replaced. */
export type OwnAccounts = ReadonlyMap<string, string>;

/**
 * Reads the files of `--fork`. Of two states of an account the newer one counts. A notice names each file of a folder that
 * cannot be used.
 * @throws ForkError: lists each named file that cannot be used, and each account with two states of the same time
 */
export async function readFork(paths: readonly string[], own: OwnAccounts): Promise<ReadFork> {
  const reading = new ForkReading(own);
  const files = await listForkFiles(paths);
  for (const file of files) await reading.read(file);
  return reading.finish();
}

interface LoadedAccount extends ReadAccount, ForkedAccount {
  readonly address: ForkedAccount['address'];
  readonly file: string;
  /** A file with another state of the same time. */
  readonly otherFile?: string;
}

class ForkReading {
  private readonly own: OwnAccounts;
  private readonly accounts = new Map<string, LoadedAccount>();
  private readonly published: Cell[] = [];
  private readonly others = new Map<string, { readonly cell: Cell; readonly file: string }>();
  private readonly notices = new ForkNotices();
  private readonly problems: string[] = [];
  private config: (ForkedConfig & { readonly file: string }) | null = null;
  private bytesLeft = MAX_FORK_BYTES;
  private cellsLeft = MAX_FORK_CELLS;

  constructor(own: OwnAccounts) {
    this.own = own;
  }

  async read({ path: file, isNamed }: ListedFile): Promise<void> {
    try {
      const bytes = await readRegularFile(file, { maxBytes: this.bytesLeft });
      this.bytesLeft -= bytes.length;
      const content = readForkFile(bytes, this.cellsLeft);
      this.cellsLeft -= content.cellCount;
      this.take(content, file);
    } catch (error) {
      const reason = reasonUnusable(error);
      if (reason === null) throw error;
      if (isNamed) this.problems.push(`${file} cannot be used: ${reason}`);
      else this.notices.add('files of a folder that cannot be used', `${file} (${reason})`);
    }
  }

  /** @throws ForkError */
  finish(): ReadFork {
    for (const [name, { lt, file, otherFile }] of this.accounts)
      if (otherFile !== undefined)
        this.problems.push(
          `account ${name} has two states of the lt ${lt}, in ${file} and in ${otherFile}: name one of them`,
        );
    if (this.problems.length > 0) throw new ForkError(this.problems);
    const all = [...this.accounts.values()];
    const accounts = all.map(({ address, account }) => ({ address, account }));
    const { libraries, missing } = findLibraries({
      accounts: accounts.map(({ account }) => account),
      published: [...this.published, ...all.flatMap(({ published }) => published)],
      others: new Map([...this.others].map(([hash, { cell }]) => [hash, cell])),
    });
    for (const hash of missing)
      this.notices.add('no file has these libraries, so code that needs them cannot run', hash);
    const used = new Set(libraries.map((cell) => toHex(cell.hash())));
    for (const [hash, { file }] of this.others)
      if (!used.has(hash))
        this.notices.add('not loaded, neither an account, a state nor a library of a loaded account', file);
    const names = accounts.map((one) => `${toAccountName(one.address)} ${toHex(one.account.hash())}`);
    const params = this.config?.params ?? [];
    const config = params.map(({ param, cell }) => `parameter ${param} ${toHex(cell.hash())}`);
    const text = [...names, ...used, ...config].sort().join('\n');
    const hash = toHex(sha256(new TextEncoder().encode(text)));
    return { accounts, libraries, params, hash, notices: this.notices.lines() };
  }

  private take({ accounts, libraries, other, config }: ForkFile, file: string): void {
    for (const account of accounts) this.takeAccount(account, file);
    this.published.push(...libraries);
    if (other) this.others.set(toHex(other.hash()), { cell: other, file });
    else if (accounts.length === 0) this.notices.add('not loaded, there is no account in it', file);
    if (config) this.takeConfig({ ...config, file });
  }

  private takeConfig(config: ForkedConfig & { readonly file: string }): void {
    const known = this.config;
    if (known && known.seqno === config.seqno && configText(known) !== configText(config))
      this.problems.push(
        `the masterchain block ${config.seqno} has two configurations, in ${known.file} and in ${config.file}: name one of them`,
      );
    if (known && known.seqno !== config.seqno)
      this.notices.add(
        'older configurations not loaded',
        known.seqno < config.seqno ? known.file : config.file,
      );
    if (!known || known.seqno < config.seqno) this.config = config;
  }

  private takeAccount(read: ReadAccount, file: string): void {
    const { address, account, lt } = read;
    if (address === null) {
      this.notices.add('accounts not loaded, their addresses have a prefix or another length', file);
      return;
    }
    const name = toAccountName(address);
    const role = this.own.get(name);
    if (role !== undefined) {
      this.notices.add(`not loaded, the local chain has its own ${role}`, `${name} of ${file}`);
      return;
    }
    if (address.workchain !== 0 && address.workchain !== -1) {
      this.notices.add('not loaded, the local chain has the workchains 0 and -1', `${name} of ${file}`);
      return;
    }
    const known = this.accounts.get(name);
    if (known && known.lt === lt && known.account.key !== account.key)
      this.accounts.set(name, { ...known, otherFile: file });
    if (known && known.lt !== lt)
      this.notices.add(
        'older states of accounts not loaded',
        `${name} of ${known.lt < lt ? known.file : file}`,
      );
    if (!known || known.lt < lt) this.accounts.set(name, { ...read, address, file });
  }
}

function configText({ params }: ForkedConfig): string {
  return params.map(({ param, cell }) => `${param} ${toHex(cell.hash())}`).join();
}

/** Why a file cannot be used; null for errors that are not the file's. */
function reasonUnusable(error: unknown): string | null {
  const isContent = error instanceof BocError || error instanceof CellError || error instanceof DataError;
  return isContent || errorCode(error) !== null ? (error as Error).message : null;
}
