/** A whole number of the smallest units as decimal text, without zeros at its end: `1500000000`, 9 → `1.5`. */
export function toDecimal(units: string | number | bigint, decimals: number): string {
  const value = BigInt(units);
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = groupDigits(digits.slice(0, digits.length - decimals));
  const part = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return `${value < 0n ? '−' : ''}${whole}${part && `.${part}`}`;
}

/** `1234567` → `1,234,567`. */
export function groupDigits(digits: string | number): string {
  return String(digits).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Decimals that a token declares; 9 if it declares none or nonsense (TEP-64: text, 0 to 255). */
export function parseDecimals(text: unknown): number {
  const found = /^\d{1,3}$/.test(String(text)) ? Number(text) : 9;
  return found <= 255 ? found : 9;
}

/** Nanotons of TON with up to nine decimals, as `1` or `0.25`; null for another text. */
export function parseTon(text: string): string | null {
  const [, whole, part = ''] = /^(\d{1,20})(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  return whole === undefined ? null : BigInt(whole + part.padEnd(9, '0')).toString();
}
