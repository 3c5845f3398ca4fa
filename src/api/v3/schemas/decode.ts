import { type Static, Type } from 'typebox';

/** Items of a list. */
export const MAX_DECODED = 1_000;

const LIST = { maxItems: MAX_DECODED };

export const DecodeBodySchema = Type.Object({
  opcodes: Type.Optional(
    Type.Array(Type.String({ description: 'hex, with or without 0x, or decimal' }), LIST),
  ),
  bodies: Type.Optional(Type.Array(Type.String({ description: 'bag of cells, base64 or hex' }), LIST)),
});

export const DecodeSchema = Type.Object({
  opcodes: Type.Array(Type.String({ description: 'name, or unknown' })),
  bodies: Type.Array(Type.Object({}, { description: 'a decoded body, or an error' })),
});
export type DecodeAnswer = Static<typeof DecodeSchema>;
