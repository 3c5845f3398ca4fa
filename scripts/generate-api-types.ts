/**
 * Prints the types of the API's operations from its OpenAPI documents; `--write` writes them next to the client
 * (src/client).
 */
import { writeFileSync } from 'node:fs';
import { type JsonSchema, type NamedTypes, schemaType } from './layout/schema-type.ts';
import { serverWithoutIndex } from './layout/server-without-index.ts';

const FILE = new URL('../src/client/operations.ts', import.meta.url);
const DOCUMENTS = ['v2', 'v3', 'emulate'];
/** Shorter types are no better by a name. */
const MIN_NAMED = 120;

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The file's text. */
export async function apiTypes(): Promise<string> {
  const app = await serverWithoutIndex();
  try {
    const lines: string[] = [];
    const types = new RepeatedTypes();
    for (const api of DOCUMENTS) {
      const { paths } = (await app.inject(`/api/${api}/openapi.json`)).json() as Document;
      for (const [path, methods] of Object.entries(paths))
        for (const [method, operation] of Object.entries(methods))
          lines.push(`  '${method.toUpperCase()} ${path}': ${operationType(operation, types)};`);
    }
    return [
      '/* Written by scripts/generate-api-types.ts from the OpenAPI documents. */',
      ...types.declarations(),
      '/** Operations by method and path: the request, and the answer of 200. */',
      'export interface Operations {',
      ...lines,
      '}',
      '',
    ].join('\n');
  } finally {
    await app.close();
  }
}

function operationType({ parameters = [], requestBody, responses }: Operation, types: NamedTypes): string {
  const query: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const sent = requestBody
    ? `readonly body: ${schemaType(getJsonSchema(requestBody), types)}`
    : `readonly query: ${parameters.length > 0 ? schemaType(query, types) : 'Readonly<Record<string, never>>'}`;
  return `{ ${sent}; readonly answer: ${schemaType(getJsonSchema(responses['200']!), types)} }`;
}

function getJsonSchema({ content }: Content): JsonSchema {
  return content['application/json']!.schema;
}

/** Types in the order of their first use. */
class RepeatedTypes implements NamedTypes {
  readonly #names = new Map<string, string>();

  put(type: string): string {
    if (type.length < MIN_NAMED) return type;
    const name = this.#names.get(type) ?? `T${this.#names.size + 1}`;
    this.#names.set(type, name);
    return name;
  }

  declarations(): string[] {
    return [...this.#names].map(([type, name]) => `interface ${name} ${type}`);
  }
}

if (import.meta.main) {
  const text = await apiTypes();
  if (process.argv.includes('--write')) writeFileSync(FILE, text);
  else process.stdout.write(text);
}
