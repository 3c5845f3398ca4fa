import type { CompiledConstructor } from '../schema/compiled-constructor.ts';
import { Schema } from '../schema/schema.ts';
import { SchemaError } from '../schema/schema-error.ts';

/** Types whose constructors are bodies; all others of a text are parts of them. */
export const BODY_TYPES: readonly string[] = [
  'InternalMsgBody',
  'ExternalInMsgBody',
  'ExternalOutMsgBody',
  'ExternalMsgBody',
  'ForwardPayload',
];

const OP_BITS = 32;

/**
 * The layouts of bodies in a user's TL-B text. Its types are its own: they may be called as others are elsewhere.
 * @param source names the text in errors
 * @throws SchemaError
 */
export function userLayouts(text: string, source: string): readonly CompiledConstructor[] {
  const schema = new Schema(text, source);
  schema.check();
  const layouts = BODY_TYPES.flatMap((type) => schema.getConstructors(type));
  if (layouts.length === 0)
    throw new SchemaError(source, 1, `no message body: one is a constructor of ${BODY_TYPES.join(', ')}`);
  for (const { source: body } of layouts) {
    if (body.tag.bits !== OP_BITS)
      throw new SchemaError(source, body.line, `${body.name || '_'} has no op: its tag must have 32 bits`);
    if (body.name === '') throw new SchemaError(source, body.line, 'a body without a name');
    if (body.parameters.length > 0)
      throw new SchemaError(source, body.line, `${body.name} has a type with parameters`);
  }
  return layouts;
}
