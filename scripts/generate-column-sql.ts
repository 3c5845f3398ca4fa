/**
 * Writes the statements of migrations that follow from tables: landing tables, and the targets and views of tables that
 * are values (src/tables). `node scripts/generate-column-sql.ts --write` writes them, each new one to a migration of its
 * own; `npm run -s check` compares.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LAKE_TABLES } from '../src/projections/lake/lake-columns.ts';
import {
  ACCOUNT_CODES,
  ACCOUNTS_LATEST,
  BALANCES_RANKED,
  CELL_TARGET,
  STATE_TARGET,
} from '../src/tables/account-targets.ts';
import { ACTIVITY_TARGET, ACTIVITY_TYPES } from '../src/tables/activity.ts';
import { BASE_TABLES } from '../src/tables/base-tables.ts';
import { BLOCK_TARGETS, CONFIG_TARGET, RAW_BLOCK_TARGET, SHARD_TARGET } from '../src/tables/block-targets.ts';
import { ABSENT_TARGET, CODE_TABLES, CODE_TARGET, GAP_TARGET, PLACE_TARGET } from '../src/tables/codes.ts';
import {
  CONTRACT_KEY_TARGET,
  CONTRACT_KEY_TYPES,
  CONTRACT_STATE_TARGET,
  CONTRACT_STATE_TYPES,
} from '../src/tables/contract-states.ts';
import {
  CONFIRMED_TOKENS,
  CONTRACT_OUTCOME_TARGET,
  DETECTED_CONTRACT_KEYS,
  DETECTED_CONTRACTS,
  DETECTED_KEYS,
  DETECTION_TABLES,
  DETECTIONS,
  TOKEN_OUTCOME_TARGET,
} from '../src/tables/detections.ts';
import { MESSAGE_TARGETS } from '../src/tables/messages.ts';
import { landingSql, type Target, targetSql, viewSql } from '../src/tables/target.ts';
import { TOKEN_TARGETS, TOKEN_TYPES, TOKENS_LATEST, TOKENS_RANKED } from '../src/tables/token-states.ts';
import { TRANSFER_KEY_TARGET, TRANSFER_TARGET, TRANSFER_TYPES } from '../src/tables/token-transfers.ts';
import {
  IN_FLIGHT_TARGET,
  TRACE_STEP_TARGET,
  TRACE_TABLES,
  TRACE_TARGETS,
  TRACE_TRANSACTION_TARGETS,
} from '../src/tables/traces.ts';
import { TRANSACTION_TARGETS } from '../src/tables/transaction-targets.ts';
import { createdNames, type Statements, withStatements } from './columns/statement-files.ts';

type Columns = Readonly<Record<string, string>>;

/** Statements of a projection, by the name of what they create. */
const PROJECTIONS: Readonly<Record<string, Statements>> = {
  base: {
    ...landings(BASE_TABLES),
    ...targets([...BLOCK_TARGETS, SHARD_TARGET, CONFIG_TARGET, RAW_BLOCK_TARGET], BASE_TABLES.blocks),
    ...targets(TRANSACTION_TARGETS, BASE_TABLES.transactions),
    ...targets(MESSAGE_TARGETS, BASE_TABLES.messages),
    ...targets(
      [STATE_TARGET, CELL_TARGET, ACCOUNTS_LATEST, ACCOUNT_CODES, BALANCES_RANKED],
      BASE_TABLES.account_states,
    ),
  },
  activity: { ...landings({ activity: ACTIVITY_TYPES }), ...targets([ACTIVITY_TARGET], ACTIVITY_TYPES) },
  contracts: {
    ...landings({
      token_states: TOKEN_TYPES,
      token_transfers: TRANSFER_TYPES,
      ...CODE_TABLES,
      contract_states: CONTRACT_STATE_TYPES,
      contract_keys: CONTRACT_KEY_TYPES,
    }),
    ...targets([...TOKEN_TARGETS, TOKENS_LATEST, TOKENS_RANKED], TOKEN_TYPES),
    ...targets([TRANSFER_TARGET, TRANSFER_KEY_TARGET], TRANSFER_TYPES),
    ...targets([CODE_TARGET, GAP_TARGET, PLACE_TARGET, ABSENT_TARGET], CODE_TABLES.codes),
    ...targets([CONTRACT_STATE_TARGET, CONTRACT_KEY_TARGET], CONTRACT_STATE_TYPES),
  },
  detections: {
    ...landings(DETECTION_TABLES),
    ...targets(
      [
        TOKEN_OUTCOME_TARGET,
        CONTRACT_OUTCOME_TARGET,
        DETECTIONS,
        DETECTED_KEYS,
        CONFIRMED_TOKENS,
        DETECTED_CONTRACTS,
        DETECTED_CONTRACT_KEYS,
      ],
      DETECTION_TABLES.token_outcomes,
    ),
  },
  traces: {
    ...landings(TRACE_TABLES),
    ...targets(
      [...TRACE_TARGETS, ...TRACE_TRANSACTION_TARGETS, IN_FLIGHT_TARGET, TRACE_STEP_TARGET],
      TRACE_TABLES.traces,
    ),
  },
  lake: landings(LAKE_TABLES),
};

const ROOT = join(import.meta.dirname, '..');

/** Paths, from the root, of migrations whose columns are not written by hand. */
export const COLUMN_SQL_FILES: readonly string[] = Object.entries(PROJECTIONS).flatMap(
  ([projection, statements]) =>
    migrations(ROOT, projection).filter((file) =>
      createdNames(readFileSync(join(ROOT, file), 'utf8')).some((name) => name in statements),
    ),
);

function landings(tables: Readonly<Record<string, Columns>>): Statements {
  const statements = Object.entries(tables).map(([name, types]) => [`land_${name}`, landingSql(name, types)]);
  return Object.fromEntries(statements);
}

function targets(list: readonly Target[], types: Columns): Statements {
  const statements = list.flatMap((target) => [
    [target.name, targetSql(target)],
    [`${target.name}_mv`, viewSql(target, types)],
  ]);
  return Object.fromEntries(statements);
}

/** The migrations of a projection, from the root, in order. */
function migrations(root: string, projection: string): string[] {
  const files = readdirSync(join(root, 'clickhouse', projection)).filter((name) => name.endsWith('.sql'));
  return files.sort().map((name) => `clickhouse/${projection}/${name}`);
}

/** The generated migrations that differ from what the code yields, or are missing; `write` puts them right. */
export function staleColumnSql(root: string, write: boolean): string[] {
  return Object.entries(PROJECTIONS).flatMap(([projection, statements]) => [
    ...migrations(root, projection).filter((file) => isStale(root, file, statements, write)),
    ...missingFiles(root, projection, statements, write),
  ]);
}

function isStale(root: string, file: string, statements: Statements, write: boolean): boolean {
  const text = readFileSync(join(root, file), 'utf8');
  const wanted = withStatements(text, statements);
  if (text !== wanted && write) writeFileSync(join(root, file), wanted);
  return text !== wanted;
}

/** Migrations of statements that no file has yet: a table and its view share one. */
function missingFiles(root: string, projection: string, statements: Statements, write: boolean): string[] {
  const files = migrations(root, projection);
  const created = new Set(files.flatMap((file) => createdNames(readFileSync(join(root, file), 'utf8'))));
  const missing = Object.keys(statements).filter((name) => !created.has(name) && !name.endsWith('_mv'));
  return missing.map((name, index) => {
    const number = String(files.length + index + 1).padStart(4, '0');
    const file = `clickhouse/${projection}/${number}_${name}.sql`;
    const texts = [statements[name], statements[`${name}_mv`]].filter((text) => text !== undefined);
    if (write) writeFileSync(join(root, file), texts.map((text) => `${text};\n`).join('\n'));
    return file;
  });
}

if (import.meta.main) {
  const write = process.argv.includes('--write');
  const stale = staleColumnSql(ROOT, write);
  for (const file of stale)
    console.log(write ? `written: ${file}` : `stale: ${file} (node scripts/generate-column-sql.ts --write)`);
  process.exitCode = stale.length > 0 && !write ? 1 : 0;
}
