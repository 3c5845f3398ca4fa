import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { FILE_SETTINGS } from './export-format.ts';
import type { ExportPlace } from './export-place.ts';
import { NO_LIMITS } from './export-source.ts';
import { readFacts, writeFile } from './write-file.ts';

/** A folder of this machine. ClickHouse makes the content, and this process writes it. */
export function folderPlace(client: StoreClient, folder: string): ExportPlace {
  return {
    name: folder,
    readText: (path) => readText(join(folder, path)),
    writeText: async (path, text) => {
      await writeFile(join(folder, path), Readable.from([Buffer.from(text)]));
    },
    hasFile: async (path, { sha256 }) => (await readFacts(join(folder, path)))?.sha256 === sha256,
    write: async (path, { sql, params, format, signal }) => {
      const { body, rows } = await client.queryStream(`${sql} FORMAT ${format}`, {
        ...NO_LIMITS,
        route: 'export/file',
        params,
        signal,
        settings: FILE_SETTINGS,
      });
      return { rows, ...(await writeFile(join(folder, path), body)) };
    },
  };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
