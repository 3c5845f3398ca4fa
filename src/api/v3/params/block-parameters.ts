import { Type } from 'typebox';
import { type Parameter, ParameterError, single } from './parameter.ts';

/** Hex of up to 16 digits, tried first, or a signed 64-bit decimal; unsigned inside. */
export function readShard(text: string): bigint {
  if (/^(0[xX])?[0-9a-fA-F]{1,16}$/.test(text)) return BigInt(`0x${text.replace(/^0[xX]/, '')}`);
  if (!/^[+-]?\d{1,20}$/.test(text)) throw new ParameterError();
  const value = BigInt(text.replace(/^\+/, ''));
  if (BigInt.asIntN(64, value) !== value) throw new ParameterError();
  return BigInt.asUintN(64, value);
}

export function shard(description: string): Parameter<bigint | undefined> {
  return single(Type.String({ description }), readShard);
}

/** `0x` and up to 8 hex digits, the digits alone, or a signed 32-bit decimal; unsigned inside. */
export function readOpcode(text: string): number {
  if (/^(0[xX])?[0-9a-fA-F]{1,8}$/.test(text)) return Number.parseInt(text.replace(/^0[xX]/, ''), 16);
  if (!/^[+-]?\d{1,10}$/.test(text)) throw new ParameterError();
  const value = Number(text);
  if (value < -0x8000_0000 || value > 0x7fff_ffff) throw new ParameterError();
  return value >>> 0;
}

export function opcode(description: string): Parameter<number | undefined> {
  return single(Type.String({ description }), readOpcode);
}
