import { resolve } from 'node:path';
import type { StoreClient } from '../../src/platform/clickhouse/client.ts';
import { versionDatabase } from '../../src/platform/clickhouse/migrations/database-names.ts';
import { migrate } from '../../src/platform/clickhouse/migrations/migrate.ts';
import { encodeNativeBlock } from '../../src/platform/clickhouse/native-format.ts';
import { ContractMaker } from '../../src/projections/contracts/contract-rows.ts';
import { FactWriter } from '../../src/projections/contracts/pack-facts.ts';
import { stateFacts } from '../../src/projections/contracts/state-facts.ts';
import { onlyRoot, parseBoc } from '../../src/ton/boc/boc.ts';
import { CellHashes } from '../../src/ton/boc/cell-hashes.ts';
import type { BaseColumns } from '../../src/ton/columns/base-columns.ts';
import {
  NO_PREVIOUS_STATE,
  readAccount,
  stateFields,
  writeCellRow,
  writeStateRow,
} from '../../src/ton/decode/account-row.ts';
import { partsOfColumns } from '../../src/ton/kernel/native-parts.ts';
import { TableView } from '../../src/ton/kernel/table-view.ts';
import { testDatabaseGuard } from './clickhouse-server.ts';

/** The projection `contracts` of a store that is filled by hand, as its decoder and maker leave it. */
export class ContractsOfStore {
  readonly database: string;
  readonly #client: StoreClient;
  readonly #maker: ContractMaker;

  private constructor(client: StoreClient, database: string) {
    this.database = database;
    this.#client = client;
    this.#maker = new ContractMaker({ client, database, partition: 0, partitions: 1, next: 0 });
  }

  static async create(client: StoreClient, network: string, epochSize: number): Promise<ContractsOfStore> {
    const directory = resolve(import.meta.dirname, '../../clickhouse');
    await migrate(client, { network, projection: 'contracts', version: 1, directory, epochSize });
    return new ContractsOfStore(client, testDatabaseGuard(versionDatabase(network, 'contracts', 1)));
  }

  /** Rows of the states in some columns of base. */
  async insert(columns: BaseColumns): Promise<void> {
    const tables = TableView.all(partsOfColumns(columns, null));
    const states = tables.get('account_states');
    if (!states) return;
    const facts = new FactWriter();
    const wanted = { namesAbsent: true, isOwn: () => true };
    for (const fact of stateFacts(states, tables.get('account_cells'), wanted)) facts.add(fact);
    const parts = facts.take(null);
    await this.#maker.prepare([parts]);
    const rows = this.#maker.createRowSet();
    rows.append(parts);
    rows.endStep?.();
    for (const table of rows.tables) {
      if (table.rows === 0) continue;
      const landing = `${this.database}.land_${table.name}`;
      await this.#client.insertNative(landing, encodeNativeBlock(table), { route: 'test' });
    }
  }
}

/** Adds an account by its Account cell: as a state at masterchain seqno 0 has it. */
export function addAccount(columns: BaseColumns, bag: Uint8Array): void {
  const boc = parseBoc(bag);
  const [cell, hashes] = [onlyRoot(boc), new CellHashes(boc)];
  const account = readAccount(boc, cell);
  if (account?.addr.kind !== 'std') throw new Error('an account with a standard address expected');
  const { workchain, address } = account.addr;
  const lt = account.lastTransLt;
  const key = {
    mcSeqno: 0,
    workchain,
    address,
    lt,
    now: 0,
    lastTransHash: new Uint8Array(32),
    origin: 'state',
  } as const;
  const fields = stateFields(hashes, cell, account, account.balance.extra ?? []);
  writeStateRow(columns, key, fields, NO_PREVIOUS_STATE);
  writeCellRow(columns, key, hashes, cell);
}
