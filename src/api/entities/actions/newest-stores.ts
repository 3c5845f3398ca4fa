import type { FactClient, FactStores, StateSource } from '../../../facts/fact-stores.ts';
import type { Cell } from '../../../ton/cell/cell.ts';
import { PartialCells } from '../../../ton/cell/partial-cells.ts';
import { writeBag } from '../../../ton/cell/write-bag.ts';
import { accountOfRaw } from '../../query/account-id.ts';
import type { ReadScope } from '../../query/scope.ts';
import { unsafeSql } from '../../query/sql.ts';
import { cellKey, findRoots } from '../accounts/cell-index.ts';
import { readCodes } from '../accounts/codes.ts';
import { readAccountStates } from '../accounts/find.ts';
import { hashOrNull, ZERO_HASH } from '../accounts/none-account.ts';
import type { ContractsSource } from '../tokens/filter.ts';

/** Data of an account in a state that no served block has. */
export interface UnconfirmedData {
  /** Base64. */
  readonly hash: string;
  /** Perhaps a pruned branch: blocks leave out what they did not change. */
  cell(): Cell;
}

/** By raw address; null for a state without data, undefined for the newest visible state. */
export type FindUnconfirmedData = (address: string) => UnconfirmedData | null | undefined;

/** Databases of an answer's facts, and codes and data of the newest visible states or of unconfirmed ones. */
export function newestStores(
  scope: ReadScope,
  contracts: ContractsSource,
  unconfirmed: FindUnconfirmedData,
): FactStores {
  const client: FactClient = {
    queryRows: async <R extends readonly unknown[]>(text: string) => ({
      rows: (await scope.query(unsafeSql(text))) as unknown as readonly R[],
    }),
  };
  const { detections } = scope.context.vector();
  return {
    chain: { client, database: scope.databases.base },
    tokens: { client, database: contracts.database },
    detections:
      detections.state === 'served'
        ? { client, database: detections.database, last: detections.visible.last }
        : null,
    states: newestStates(scope, unconfirmed),
  };
}

/** From the beginning on: only the newest state is known. */
const position = 0;
/** After every outcome of a get method. */
const NEWEST_LT = 2n ** 64n - 1n;

/** Newest visible codes, and data of the newest visible states or of unconfirmed ones. */
function newestStates(scope: ReadScope, unconfirmed: FindUnconfirmedData): StateSource {
  const cells = new PartialCells();
  return {
    readStates: async (accounts) =>
      [...(await readCodes(scope, accounts.map(accountOfRaw)))].map(([account, code]) => {
        return { account, position, lt: NEWEST_LT, codeHash: hashOrNull(code) };
      }),
    readDataHashes: async (accounts) => {
      const own = new Map(accounts.map((account) => [account, unconfirmed(account)]));
      const served = accounts.filter((account) => own.get(account) === undefined);
      const states = await readAccountStates(scope, served.map(accountOfRaw));
      for (const data of own.values()) if (data) cells.add(data.cell());
      return accounts.map((account) => {
        const data = own.get(account);
        const hash =
          data === undefined ? hashOrNull(states.get(account)?.data_hash ?? ZERO_HASH) : data?.hash;
        return { account, position, hash: hash ?? null };
      });
    },
    readRoots: async (hashes) => {
      await findRoots(scope, cells, hashes.map(cellKey));
      return new Map(
        hashes.flatMap((hash) => {
          const root = cells.root(cellKey(hash));
          return root ? [[hash, { position, bag: writeBag(root) }] as const] : [];
        }),
      );
    },
  };
}
