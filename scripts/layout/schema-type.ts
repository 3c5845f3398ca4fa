/** JSON Schema, limited to the parts that the API's documents use. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
}

/** Types of objects that occur in several places, with names. */
export interface NamedTypes {
  /** The type itself, or the name of it. */
  put(type: string): string;
}

/** The TypeScript type of the values that a schema describes. */
export function schemaType(schema: JsonSchema, named: NamedTypes): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => schemaType(one, named)))].join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.items ? `readonly (${schemaType(schema.items, named)})[]` : 'readonly unknown[]';
    case 'object':
      return objectType(schema, named);
    case undefined:
      return 'unknown';
    default:
      throw new TypeError(`no type for ${JSON.stringify(schema)}`);
  }
}

function objectType(schema: JsonSchema, named: NamedTypes): string {
  const { properties = {}, required = [] } = schema;
  const values = getValues(schema);
  const fields = Object.entries(properties).map(
    ([name, one]) =>
      `readonly ${toKey(name)}${required.includes(name) ? '' : '?'}: ${schemaType(one, named)};`,
  );
  if (fields.length > 0) return named.put(`{ ${fields.join(' ')} }`);
  return `Readonly<Record<string, ${values ? schemaType(values, named) : 'unknown'}>>`;
}

function getValues({ additionalProperties, patternProperties }: JsonSchema): JsonSchema | null {
  if (typeof additionalProperties === 'object') return additionalProperties;
  return Object.values(patternProperties ?? {})[0] ?? null;
}

function toKey(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name);
}
