import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AccountAddress, toAccountName } from '../../ton/store/store-address.ts';
import { StateFiles } from '../state/state-files.ts';
import { OriginError } from './origin-error.ts';
import type { OriginBlock } from './origin-servers.ts';

/** Folder in a data directory. It belongs to a chain, whatever snapshot the chain returns to. */
export const ORIGIN = 'origin';

/** What a chain is forked from. */
export interface OriginRecord {
  readonly block: OriginBlock;
  /** Bag of the dictionary of the configuration after the block. */
  readonly params: Uint8Array;
  /** Content of the newest global configuration: it names the servers. */
  readonly config: string;
}

/** Stored answers: more are refused. An account has a file of some kilobytes. */
const MAX_ANSWERS = 100_000;
const MAX_BYTES = 2 ** 31;

const RECORD = 'origin.bin';

/** `account`: a bag, null for an account that is absent. `library`: a bag. */
interface StoredAnswer {
  readonly bag: Uint8Array | null;
}

/**
 * The origin of a fork on disk: block, configuration, and each answer about an account or a library. A restart and a revert then
 * need no network for them.
 */
export class OriginFiles {
  private readonly record: StateFiles;
  private readonly answers: StateFiles;
  private count = 0;
  private bytes = 0;

  constructor(directory: string) {
    this.record = new StateFiles(directory);
    const answers = join(directory, 'answers');
    this.answers = new StateFiles(answers);
    for (const name of readdirSync(answers)) this.added(statSync(join(answers, name)).size);
  }

  readRecord(): OriginRecord | null {
    return this.record.readValue(RECORD) as OriginRecord | null;
  }

  async writeRecord(record: OriginRecord): Promise<void> {
    await this.record.writeValue(RECORD, record);
  }

  /** The answer about an account; undefined if there is none yet. */
  account(account: AccountAddress): Uint8Array | null | undefined {
    return this.read(accountFile(account));
  }

  /** @throws OriginError there are too many */
  keepAccount(account: AccountAddress, bag: Uint8Array | null): Promise<void> {
    return this.write(accountFile(account), bag);
  }

  library(hash: string): Uint8Array | null {
    return this.read(libraryFile(hash)) ?? null;
  }

  /** @throws OriginError there are too many */
  keepLibrary(hash: string, bag: Uint8Array): Promise<void> {
    return this.write(libraryFile(hash), bag);
  }

  private read(name: string): Uint8Array | null | undefined {
    const found = this.answers.readValue(name) as StoredAnswer | null;
    return found ? found.bag : undefined;
  }

  private async write(name: string, bag: Uint8Array | null): Promise<void> {
    if (this.count >= MAX_ANSWERS || this.bytes >= MAX_BYTES) {
      const limit = `${MAX_ANSWERS} answers or ${MAX_BYTES} bytes`;
      throw new OriginError('the stored answers', `expected less than ${limit}, found ${this.count} answers`);
    }
    await this.answers.writeValue(name, { bag } satisfies StoredAnswer);
    this.added(bag?.length ?? 0);
  }

  private added(bytes: number): void {
    this.count++;
    this.bytes += bytes;
  }
}

const accountFile = (account: AccountAddress) => `${toAccountName(account).replace(':', '_')}.bin`;
const libraryFile = (hash: string) => `library_${hash}.bin`;
