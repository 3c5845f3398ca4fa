/** How ClickHouse reads the text of a `{name:Type}` parameter: escaped as in TSV; quoted where it stands in a list. */
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
