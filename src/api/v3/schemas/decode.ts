import { type Static, Type } from 'typebox';

export const DecodeBodySchema = Type.Object({
  opcodes: Type.Optional(Type.Array(Type.String({ description: 'hex, with or without 0x, or decimal' }))),
  bodies: Type.Optional(Type.Array(Type.String({ description: 'bag of cells, base64 or hex' }))),
});

export const DecodeSchema = Type.Object({
  opcodes: Type.Array(Type.String({ description: 'name; unknown where there is none' })),
  bodies: Type.Array(Type.Object({}, { description: 'a decoded body, or an error' })),
});
export type DecodeAnswer = Static<typeof DecodeSchema>;
