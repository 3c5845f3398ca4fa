import { AvroSchemaError } from './avro-errors.ts';
import type { CompiledSchema, SchemaSet } from './schema-files.ts';

/** The parts of a schema that are rendered; what is not here is refused rather than typed loosely. */
type Part = string | Part[] | RecordPart | FixedPart | EnumPart | ArrayPart;
interface RecordPart {
  readonly type: 'record';
  readonly name: string;
  readonly doc?: string;
  readonly fields: readonly { readonly name: string; readonly type: Part; readonly doc?: string }[];
}
interface FixedPart {
  readonly type: 'fixed';
  readonly name: string;
  readonly size: number;
}
interface EnumPart {
  readonly type: 'enum';
  readonly name: string;
  readonly symbols: readonly string[];
}
interface ArrayPart {
  readonly type: 'array';
  readonly items: Part;
}

const PRIMITIVES = new Map([
  ['null', 'null'],
  ['boolean', 'boolean'],
  ['int', 'number'],
  ['long', 'bigint'],
  ['float', 'number'],
  ['double', 'number'],
  ['bytes', 'Uint8Array'],
  ['string', 'string'],
]);

/** Line width of the formatter (biome.json). */
const LINE_WIDTH = 110;

/**
 * The text of generated.ts: one interface for each record and version, and the unions that the codec takes. `columnar`: kinds whose records
 * are written from columns, so no object has their fields.
 */
export function renderTypes({ byId, newest }: SchemaSet, columnar: readonly string[]): string {
  const objects = [...byId.values()].filter(({ kind }) => !columnar.includes(kind));
  const schemas = objects.sort((a, b) =>
    a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.version - b.version,
  );
  const names = schemas.map((schema) => ({ schema, ...renderSchema(schema) }));
  const union = names.map(
    ({ schema, name }) =>
      `  | { readonly kind: '${schema.kind}'; readonly version: ${schema.version}; readonly value: ${name} }`,
  );
  const latest = names
    .filter(({ schema }) => newest.get(schema.kind) === schema)
    .map(({ schema, name }) => `  readonly ${toKey(schema.kind)}: ${name};`);
  const aliases = names
    .filter(({ schema }) => newest.get(schema.kind) === schema)
    .map(({ name }) => `export type ${name.replace(/V\d+$/, '')} = ${name};\n`);
  return [
    '// Generated from schemas/ by scripts/generate-avro-types.ts. Do not edit.\n',
    // Parts that kinds have in common are declared once.
    ...new Set(names.flatMap(({ interfaces }) => interfaces)),
    `// The newest version of each kind.\n${aliases.join('')}`,
    `/** Result of decoding. */\nexport type Datum =\n${union.join('\n')};\n`,
    `/** Argument of encoding: the newest version of each kind. */\nexport interface NewestDatum {\n${latest.join('\n')}\n}\n`,
  ].join('\n');
}

/** The interfaces of one schema file; `name` is the name of the whole datum, e.g. `RawBlockV1`. */
function renderSchema({ kind, version, source }: CompiledSchema): {
  readonly name: string;
  readonly interfaces: readonly string[];
} {
  const known = new Map<string, string>();
  const interfaces: string[] = [];
  const where = `${kind} v${version}`;

  function define(part: { name: string }, text: string): string {
    known.set(part.name, text);
    return text;
  }

  function render(part: Part): string {
    if (typeof part === 'string') {
      const text = PRIMITIVES.get(part) ?? known.get(part);
      if (text === undefined) throw new AvroSchemaError(where, `${part} is not defined before its use`);
      return text;
    }
    if (Array.isArray(part)) return part.map(render).join(' | ');
    switch (part.type) {
      case 'record':
        return renderRecord(part);
      case 'fixed':
        return define(part, 'Uint8Array');
      case 'enum':
        return define(part, part.symbols.map((symbol) => `'${symbol}'`).join(' | '));
      case 'array':
        return `readonly ${inArray(render(part.items))}[]`;
      default:
        throw new AvroSchemaError(where, `${JSON.stringify(part)} cannot be rendered as a type`);
    }
  }

  function renderRecord(record: RecordPart): string {
    const name = define(record, `${record.name}V${version}`);
    const fields = record.fields.map(
      (field) => `${renderDoc(field.doc, '  ')}${renderField(field.name, render(field.type))}`,
    );
    interfaces.push(`${renderDoc(record.doc, '')}export interface ${name} {\n${fields.join('')}}\n`);
    return name;
  }

  const name = render(source as Part);
  return { name, interfaces };
}

const inArray = (items: string) => (items.includes(' | ') ? `(${items})` : items);
const toKey = (kind: string) => (/^\w+$/.test(kind) ? kind : `'${kind}'`);

/** As the formatter would have it: a long union has a line for each member. */
function renderField(name: string, type: string): string {
  const line = `  readonly ${name}: ${type};\n`;
  if (line.length <= LINE_WIDTH + 1) return line;
  return `  readonly ${name}:\n${type
    .split(' | ')
    .map((member) => `    | ${member}`)
    .join('\n')};\n`;
}

function renderDoc(doc: string | undefined, indent: string): string {
  return doc ? `${indent}/** ${doc.replaceAll('*/', '* /')} */\n` : '';
}
