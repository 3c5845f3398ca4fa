const DECIMAL = /^([+-]?)(\d{1,80})$/;
const HEX = /^([+-]?)0[xX]([0-9a-fA-F]{1,65})$/;

/** Decimal or `0x` hex, a sign before either; null for any other text. */
export function parseStackNumber(text: string): bigint | null {
  const decimal = DECIMAL.exec(text);
  const hex = decimal ? null : HEX.exec(text);
  if (!decimal && !hex) return null;
  const value = decimal ? BigInt(decimal[2]!) : BigInt(`0x${hex![2]}`);
  return (decimal ?? hex)![1] === '-' ? -value : value;
}
