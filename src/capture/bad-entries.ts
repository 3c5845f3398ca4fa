import type { Bus } from '../log/port.ts';
import { toHex } from '../ton/hash/hex.ts';
import { sha256 } from '../ton/hash/sha256.ts';
import type { BadEntry } from './source.ts';

const DEAD_LETTERS = 'dead-letters';
const STAGE = 'capture';
const READ_LIMIT = { records: 256, bytes: 1 << 24 };

/** Puts what could not be read to the dead letters, once: a start that is repeated finds the letters of the first. */
export class BadEntries {
  private readonly bus: Bus;
  private known: Set<string> | null = null;
  /** Dead letters written by this run. */
  written = 0;

  constructor(bus: Bus) {
    this.bus = bus;
  }

  async put({ origin, bytes, error }: BadEntry): Promise<void> {
    this.known ??= await readKeys(this.bus);
    const key = `${STAGE}:${toHex(sha256(bytes))}`;
    if (this.known.has(buildEntryName(key, origin))) return;
    const headers = { stage: STAGE, code: findErrorCode(error), error: error.message, origin };
    await this.bus.put(DEAD_LETTERS, { key, headers, value: bytes });
    this.known.add(buildEntryName(key, origin));
    this.written++;
  }
}

/** The code of the error or of its cause; else the class. */
function findErrorCode(error: Error): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return error.name;
}

/** The same bytes may lie in several files. */
function buildEntryName(key: string, origin = ''): string {
  return `${key} ${origin}`;
}

async function readKeys(bus: Bus): Promise<Set<string>> {
  const keys = new Set<string>();
  for (const { lane, first, next } of await bus.bounds(DEAD_LETTERS)) {
    let from = first;
    while (from < next) {
      const records = await bus.read(DEAD_LETTERS, lane, from, READ_LIMIT);
      if (records.length === 0) break;
      for (const { key, headers } of records) keys.add(buildEntryName(key, headers.origin));
      from = records.at(-1)!.offset + 1;
    }
  }
  return keys;
}
