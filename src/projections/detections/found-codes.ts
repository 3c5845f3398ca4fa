import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { metaDatabase } from '../../platform/clickhouse/migrations/database-names.ts';
import { encodeNativeBlock } from '../../platform/clickhouse/native-format.ts';
import { FOUND_CODES } from '../../tables/meta/cells.ts';
import { writtenTypes } from '../../tables/table.ts';
import { TableBuilder } from '../../ton/columns/table-builder.ts';
import { packMethods } from '../../ton/contracts/codes/pack-methods.ts';
import { isContractLayout } from '../../ton/contracts/contract-layouts.ts';
import { isKnownLayout } from '../../ton/contracts/known-layouts.ts';

const ZEROS = new Uint8Array(32);

/** A code that no state shows completely, after its look-up; hashes are lower-case hex. */
export interface FoundCode {
  readonly code: string;
  /** Hash of the target of a library cell; null for an ordinary code. */
  readonly library: string | null;
  /** null if the library is not in the index. */
  readonly methods: readonly number[] | null;
}

export async function writeFoundCodes(
  client: StoreClient,
  network: string,
  codes: readonly FoundCode[],
): Promise<void> {
  if (codes.length === 0) return;
  const table = new TableBuilder(FOUND_CODES.name, writtenTypes(FOUND_CODES));
  const { col } = table;
  for (const { code, library, methods } of codes) {
    col.code_hash.push(Buffer.from(code, 'hex'));
    col.library.push(library === null ? ZEROS : Buffer.from(library, 'hex'));
    col.is_known.push(isKnownLayout(code) || isContractLayout(code));
    col.is_found.push(methods !== null);
    col.methods.push(packMethods(methods ?? []));
    table.endRow();
  }
  const target = `${metaDatabase(network)}.found_codes`;
  await client.insertNative(target, encodeNativeBlock(table), { route: 'contracts/found-codes' });
}
