import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { knownLayouts } from '../../api/known-bodies.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { readSmallFile } from '../../platform/files/regular-file.ts';
import { BodyDecoder } from '../../ton/bodies/body-decoder.ts';
import { bodyLayouts } from '../../ton/bodies/body-layouts.ts';
import { schemaOfAbi } from '../../ton/bodies/contract-abi.ts';
import { userLayouts } from '../../ton/bodies/user-layouts.ts';
import type { CompiledConstructor } from '../../ton/schema/compiled-constructor.ts';
import { SchemaError } from '../../ton/schema/schema-error.ts';

/** A folder of layouts that cannot be used; the message names the file and the line. */
export class UserLayoutsError extends UsageError {}

/** A schema of TL-B with thousands of constructors is smaller. */
const MAX_LAYOUT_BYTES = 1 << 24;

/** Readers of files by the end of their names; other files are ignored. */
const FORMATS: Readonly<Record<string, (text: string, file: string) => readonly CompiledConstructor[]>> = {
  '.tlb': userLayouts,
  '.abi': (text, file) => userLayouts(schemaOfAbi(text, file), file),
};

/**
 * The decoder of bodies with the layouts of a user's folder: `.tlb` files in TL-B and `.abi` files of contracts, by
 * name, after the known layouts. Without a folder only the known ones.
 * @throws UserLayoutsError
 */
export function openBodies(folder: string | undefined): BodyDecoder {
  const users = folder === undefined ? [] : listFiles(folder).flatMap(readLayouts);
  if (folder !== undefined && users.length === 0)
    throw new UserLayoutsError(`--abi ${folder}: no .tlb or .abi file in it`);
  return new BodyDecoder(bodyLayouts(knownLayouts(), users));
}

function listFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder).toSorted();
    return names.filter((name) => extname(name) in FORMATS).map((name) => join(folder, name));
  } catch (error) {
    throw new UserLayoutsError(`--abi ${folder}: ${(error as Error).message}`, { cause: error });
  }
}

function readLayouts(file: string): readonly CompiledConstructor[] {
  try {
    return FORMATS[extname(file)]!(readSmallFile(file, MAX_LAYOUT_BYTES).toString('utf8'), file);
  } catch (error) {
    if (error instanceof SchemaError) throw new UserLayoutsError(error.message, { cause: error });
    throw new UserLayoutsError(`${file}: ${(error as Error).message}`, { cause: error });
  }
}
