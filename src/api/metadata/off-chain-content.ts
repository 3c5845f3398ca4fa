import { isJsonObject, JsonTextError, type JsonValue, parseJson } from '../http/json-source.ts';

/** Content of a token's link: any attributes. */
export type OffChainContent = Readonly<Record<string, unknown>>;

/** Stored bytes of one document; of a larger one only the best-known attributes are stored. */
const MAX_BYTES = 64 * 1024;
/** Characters of such an attribute. */
const MAX_OF_TEXT = 8 * 1024;
const KNOWN = ['name', 'symbol', 'description', 'image', 'decimals'] as const;
/** Lists and objects within one another. */
const MAX_NESTED = 32;

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The stored JSON of a fetched document; null if it is not a JSON object in UTF-8, or nested too deep. */
export function toStoredContent(document: Uint8Array): string | null {
  const content = parseObject(document);
  if (!content || isDeeper(content, MAX_NESTED)) return null;
  const text = JSON.stringify(content, plain);
  if (Buffer.byteLength(text) <= MAX_BYTES) return text;
  const known: Record<string, string | number> = {};
  for (const name of KNOWN) {
    const value = content[name];
    if (typeof value === 'string') known[name] = value.slice(0, MAX_OF_TEXT);
    else if (typeof value === 'number') known[name] = value;
  }
  return JSON.stringify(known);
}

function parseObject(document: Uint8Array): Readonly<Record<string, JsonValue>> | null {
  try {
    const value = parseJson(UTF8.decode(document));
    return isJsonObject(value) ? value : null;
  } catch (error) {
    if (error instanceof JsonTextError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Numbers that a double cannot hold are kept as their text. */
function plain(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}

function isDeeper(value: JsonValue, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: JsonValue) => isDeeper(inner, levels - 1));
}
