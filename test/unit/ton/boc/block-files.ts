import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A recorded block and the root hash that its facts state. */
export interface BlockFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly rootHash: string;
}

interface Facts {
  readonly root_hash: string;
}

function readFacts(path: string): Record<string, Facts> {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** Every whole block of the shared data, in the order of sets and names. */
export function* blockFiles(data: string): Generator<BlockFile> {
  const blocks = join(data, 'blocks');
  for (const set of readdirSync(blocks).sort()) {
    const folder = join(blocks, set);
    const facts = readFacts(join(folder, 'facts.json'));
    for (const file of readdirSync(folder).sort()) {
      if (!/^-?\d+_[0-9a-f]{16}_\d+\.boc$/.test(file)) continue;
      const own = join(folder, file.replace(/boc$/, 'facts.json'));
      const fact: Facts | undefined =
        facts[file] ?? (existsSync(own) ? JSON.parse(readFileSync(own, 'utf8')) : undefined);
      if (!fact) throw new Error(`${set}/${file} has no facts`);
      yield { name: `${set}/${file}`, bytes: readFileSync(join(folder, file)), rootHash: fact.root_hash };
    }
  }
}

/** One recorded file by its path below the shared data. */
export function recorded(data: string, path: string): Uint8Array {
  return readFileSync(join(data, path));
}
