import { BASE_TABLES } from '../../tables/base-tables.ts';
import { transactionDetails } from '../../tables/transaction-targets.ts';
import { UnknownLayoutError } from '../query/unknown-layout.ts';
import { byTables } from '../served-tables.ts';
import { detailsReader, type ReadDetails } from './details-reader.ts';

/** The table with the packed values of transactions in the order of lt. */
export const PACKED_TABLE = 'transaction_payloads';

/** How a version packs its transactions. */
export interface PackedTransactions {
  /** Columns in the details, in their order. */
  readonly details: readonly string[];
  readonly readDetails: ReadDetails;
}

/**
 * The details of a version: its view writes the columns in the order in which they land.
 * @throws UnknownLayoutError if the version has no packed column
 */
export const packedTransactions = byTables((tables): PackedTransactions => {
  if (tables && !('payload' in (tables[PACKED_TABLE] ?? {})))
    throw new UnknownLayoutError('no packed column of transactions');
  const landed: Readonly<Record<string, string>> = tables?.land_transactions ?? BASE_TABLES.transactions;
  const details = transactionDetails(landed);
  return { details, readDetails: detailsReader(details.map((name) => landed[name] as string)) };
});
