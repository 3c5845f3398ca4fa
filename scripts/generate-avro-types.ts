/**
 * Writes src/platform/avro/generated.ts, the TypeScript types of the schemas under schemas/ whose records are objects. With `--check` it writes
 * nothing and exits with 1 if the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { renderTypes } from '../src/platform/avro/render-types.ts';
import { loadSchemas } from '../src/platform/avro/schema-files.ts';
import { PUBLISHED } from '../src/projections/publish/published.ts';

const root = resolve(import.meta.dirname, '..');
const target = join(root, 'src/platform/avro/generated.ts');
const wanted = renderTypes(
  loadSchemas(join(root, 'schemas')),
  PUBLISHED.map(({ kind }) => kind),
);

if (!process.argv.includes('--check')) writeFileSync(target, wanted);
else if (readFileSync(target, 'utf8') !== wanted) {
  console.error('src/platform/avro/generated.ts is out of date: node scripts/generate-avro-types.ts');
  process.exitCode = 1;
}
