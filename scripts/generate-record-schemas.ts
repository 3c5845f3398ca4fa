/**
 * Compares the newest schemas of typed topics (schemas/<kind>) with the columns of src/tables. `--write` writes the next version of each
 * kind whose fields differ; its docs are the comments of the columns. A released version never changes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSchemas } from '../src/platform/avro/schema-files.ts';
import { PUBLISHED } from '../src/projections/publish/published.ts';
import { type RecordSchema, recordSchema } from '../src/projections/publish/record-schema.ts';

const SCHEMAS = join(import.meta.dirname, '../schemas');

/** JSON of a schema without its docs and defaults. */
function toForm(schema: unknown): string {
  return JSON.stringify(schema, (key, value) => (key === 'doc' || key === 'default' ? undefined : value));
}

/** The next versions that the columns ask for. */
export function dueSchemas(folder: string) {
  const { byId, newest } = loadSchemas(folder);
  let id = Math.max(...byId.keys());
  return PUBLISHED.flatMap((output) => {
    const found = newest.get(output.kind)!;
    const older = found.source as unknown as RecordSchema;
    const schema = recordSchema(output, older);
    if (toForm(schema) === toForm(older)) return [];
    return [{ kind: output.kind, version: found.version + 1, id: ++id, schema }];
  });
}

if (import.meta.main) {
  const ids = JSON.parse(readFileSync(join(SCHEMAS, 'ids.json'), 'utf8'));
  for (const { kind, version, id, schema } of dueSchemas(SCHEMAS)) {
    const file = `${kind}/v${version}.avsc`;
    ids[kind][version] = id;
    if (process.argv.includes('--write'))
      writeFileSync(join(SCHEMAS, file), `${JSON.stringify(schema, null, 2)}\n`);
    console.log(file);
  }
  if (process.argv.includes('--write'))
    writeFileSync(join(SCHEMAS, 'ids.json'), `${JSON.stringify(ids, null, 2)}\n`);
}
