/** A type of a schema, its named parts in place of their names. */
export type AvroType =
  | string
  | readonly AvroType[]
  | { readonly type: 'fixed'; readonly name: string; readonly size: number }
  | { readonly type: 'enum'; readonly name: string; readonly symbols: readonly string[] }
  | { readonly type: 'array'; readonly items: AvroType }
  | { readonly type: 'record'; readonly name: string; readonly fields: readonly AvroField[] };

export interface AvroField {
  readonly name: string;
  readonly type: AvroType;
}

/** The fields of a schema that is a record, in their order. */
export function avroFields(schema: unknown): readonly AvroField[] {
  const resolved = resolve(schema as AvroType, new Map());
  if (typeof resolved !== 'object' || !('type' in resolved) || resolved.type !== 'record')
    throw new TypeError('the schema is no record');
  return resolved.fields;
}

/** A name means what was defined under it before. */
function resolve(type: AvroType, named: Map<string, AvroType>): AvroType {
  if (typeof type === 'string') return named.get(type) ?? type;
  if ('type' in type === false) return type.map((member) => resolve(member, named));
  const found = withParts(type, named);
  if ('name' in found) named.set(found.name, found);
  return found;
}

function withParts<Type extends Exclude<AvroType, string | readonly AvroType[]>>(
  type: Type,
  named: Map<string, AvroType>,
): Type {
  if (type.type === 'array') return { ...type, items: resolve(type.items, named) };
  if (type.type !== 'record') return type;
  const fields = type.fields.map((field) => ({ ...field, type: resolve(field.type, named) }));
  return { ...type, fields };
}
