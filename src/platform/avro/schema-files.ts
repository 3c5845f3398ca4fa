import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Schema, Type } from 'avsc';
import { AvroSchemaError } from './avro-errors.ts';
import { compileSchema } from './avro-types.ts';

export interface CompiledSchema {
  readonly kind: string;
  readonly version: number;
  /** Id in the header of every datum; assigned in `ids.json` and never changed. */
  readonly id: number;
  /** The schema of the file. */
  readonly source: Schema;
  readonly type: Type;
}

/** Schemas by id and, for each kind, the newest. */
export interface SchemaSet {
  readonly byId: ReadonlyMap<number, CompiledSchema>;
  readonly newest: ReadonlyMap<string, CompiledSchema>;
}

/**
 * Reads `<from>/<kind>/v<N>.avsc` and `<from>/ids.json` ({ kind: { version: id } }). Throws `AvroSchemaError` if a
 * schema is invalid, has no id or a shared id, or an id has no schema.
 */
export function loadSchemas(from: string | URL): SchemaSet {
  const folder = from instanceof URL ? fileURLToPath(from) : from;
  const ids = readIds(join(folder, 'ids.json'));
  const byId = new Map<number, CompiledSchema>();
  const newest = new Map<string, CompiledSchema>();
  for (const { kind, version, file } of schemaFiles(folder)) {
    const id = ids.get(`${kind} ${version}`);
    if (id === undefined) throw new AvroSchemaError(file, 'has no id in ids.json');
    const taken = byId.get(id);
    if (taken) throw new AvroSchemaError(file, `shares id ${id} with ${taken.kind} v${taken.version}`);
    const schema = { kind, version, id, ...compileFile(file) };
    byId.set(id, schema);
    // The files come with their versions ascending.
    newest.set(kind, schema);
    ids.delete(`${kind} ${version}`);
  }
  const [orphan] = ids.keys();
  if (orphan !== undefined)
    throw new AvroSchemaError(join(folder, 'ids.json'), `${orphan} has no schema file`);
  return { byId, newest };
}

function schemaFiles(folder: string): { kind: string; version: number; file: string }[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: kind }) =>
      readdirSync(join(folder, kind)).map((name) => {
        const file = join(folder, kind, name);
        const version = Number(name.match(/^v([1-9]\d*)\.avsc$/)?.[1]);
        if (Number.isNaN(version)) throw new AvroSchemaError(file, 'is not named v<N>.avsc');
        return { kind, version, file };
      }),
    )
    .sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.version - b.version));
}

function readIds(file: string): Map<string, number> {
  const ids = new Map<string, number>();
  const read = parse(file) as Record<string, Record<string, number>>;
  for (const [kind, versions] of Object.entries(read)) {
    for (const [version, id] of Object.entries(versions)) {
      if (!Number.isInteger(id) || id < 1 || id > 0x7fffffff)
        throw new AvroSchemaError(file, `${kind} v${version}: ${id} is not an id (1 to 2^31 - 1)`);
      ids.set(`${kind} ${version}`, id);
    }
  }
  return ids;
}

function compileFile(file: string): { source: Schema; type: Type } {
  const source = parse(file) as Schema;
  try {
    return { source, type: compileSchema(source) };
  } catch (error) {
    throw new AvroSchemaError(file, 'is not a valid Avro schema', { cause: error });
  }
}

function parse(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new AvroSchemaError(file, 'cannot be read as JSON', { cause: error });
  }
}
