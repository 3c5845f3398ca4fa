/**
 * Counts the files that one fact costs: a column of `transactions`, a projection outside its own folders, a list of the API. Prints them.
 * Exits with 1 if a limit is exceeded, a migration with generated columns is stale, or a decision breaks the rules.
 */
import { join } from 'node:path';
import { staleColumnSql } from './generate-column-sql.ts';
import { checkDecisions } from './generate-decision-index.ts';
import { COLUMN_LIMIT, columnFiles } from './layout/column-files.ts';
import { handWrittenFiles } from './layout/hand-written.ts';
import { PROJECTION_LIMIT, projectionFiles } from './layout/projection-files.ts';
import { ROOM_LIMIT, roomFiles } from './layout/room-files.ts';

const files = handWrittenFiles();
const columns = columnFiles(files);
const projections = projectionFiles(files);
const rooms = roomFiles();
const stale = staleColumnSql(join(import.meta.dirname, '..'), false);

const [worst] = columns;
console.log(
  `columns: ${columns.length} of transactions, at most ${worst?.files.length} files by hand (limit ${COLUMN_LIMIT}): ${worst?.column}`,
);
for (const { projection, files: outside } of projections)
  console.log(
    `projection ${projection}: ${outside.length} files outside its folders (limit ${PROJECTION_LIMIT})`,
  );
for (const { route, files: own, all } of rooms)
  console.log(`${route}: ${own.length} files of its entity (limit ${ROOM_LIMIT}), ${all} with shared ones`);

const failures = [
  ...columns
    .filter((one) => one.files.length > COLUMN_LIMIT)
    .map((one) => `${one.column}: ${one.files.join(', ')}`),
  ...projections
    .filter((one) => one.files.length > PROJECTION_LIMIT)
    .map((one) => `${one.projection}: ${one.files.join(', ')}`),
  ...rooms
    .filter((one) => one.files.length > ROOM_LIMIT)
    .map((one) => `${one.route}: ${one.files.join(', ')}`),
  ...checkDecisions(),
  ...stale.map((file) => `${file}: stale, see scripts/generate-column-sql.ts`),
];
for (const failure of failures) console.error(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
