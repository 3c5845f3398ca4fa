/** Escapes in the text of a `{name:Type}` parameter: TSV escapes; values are quoted in a list. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
};
const TO_ESCAPE = /[\t\n\r'\\]/g;

const escaped = (text: string) => text.replace(TO_ESCAPE, (char) => ESCAPES[char] as string);

/**
 * The text of a parameter's value: string, number, bigint, boolean, null, or a list of them, nested or not.
 *
 * @throws TypeError for any other value
 */
export function parameterText(value: unknown): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'boolean') return value ? '1' : '0';
  return literal(value);
}

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${escaped(value)}'`;
  if (typeof value === 'number' || typeof value === 'bigint') return `${value}`;
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  throw new TypeError(`a query parameter may not be ${Object.prototype.toString.call(value)}`);
}

const INTEGER_PLACE = /\{(\w+):U?Int(?:8|16|32|64)\}/g;
const INTEGER = /^-?\d{1,20}$/;

/**
 * Returns the statement with its integers inlined, and the remaining parameters: each parameter costs the server about
 * 0.2 ms. Only integer texts are inlined.
 */
export function inlineIntegers(
  sql: string,
  params: Readonly<Record<string, unknown>>,
): { readonly sql: string; readonly params: Readonly<Record<string, unknown>> } {
  const text = sql.replace(INTEGER_PLACE, (place, name: string) => {
    const value = `${params[name]}`;
    if (!INTEGER.test(value)) return place;
    return value.startsWith('-') ? `(${value})` : value;
  });
  const used = Object.entries(params).filter(([name]) => text.includes(`{${name}:`));
  return { sql: text, params: Object.fromEntries(used) };
}
