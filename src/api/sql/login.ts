import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { KeyRing } from '../keys/key-ring.ts';
import type { LoginLimit, SqlUser } from '../sql-port.ts';
import { wrongLogin } from './sql-error.ts';
import { hashPassword } from './sql-users.ts';

/** Who may log in. */
export interface LoginRules {
  readonly users: ReadonlyMap<string, SqlUser>;
  /** API keys; absent if the server keeps no limits: then `analyst` needs no password. */
  readonly keys?: KeyRing | undefined;
  readonly failures: LoginLimit;
}

/** Names that clients send for the analyst; `default` is what they send without one. */
const ANALYST_NAMES: ReadonlySet<string> = new Set(['', 'default', 'analyst']);

/** What clients send without a password: ClickHouse's JDBC driver sends the word. */
const NO_PASSWORDS: ReadonlySet<string> = new Set(['', 'null']);

interface Sent {
  readonly name: string;
  readonly password: string;
}

/** A request whose sender logs in. */
export interface LoginRequest {
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
  /** Name of the client's address. */
  readonly address: string;
}

/** Whose limits count. */
export interface Caller {
  /** Name for the quota of the store. */
  readonly name: string;
  /** Name for statements at the same time: clients without a password count by address. */
  readonly turn: string;
}

/**
 * Finds out who sends a request. The analyst's password is an API key, and is empty on a server without limits.
 * @throws SqlError 401, 429
 */
export function logIn(
  { headers, query, address }: LoginRequest,
  rules: LoginRules,
  now = Date.now() / 1_000,
): Caller {
  const sent = readLogin(headers, query);
  const { users, keys } = rules;
  if (!keys && NO_PASSWORDS.has(sent.password) && ANALYST_NAMES.has(sent.name) && !users.has(sent.name))
    return { name: 'analyst', turn: `analyst at ${address}` };
  const name = rules.failures.check(address, () => checkPassword(sent, rules, now));
  return { name, turn: name };
}

function checkPassword({ name, password }: Sent, { users, keys }: LoginRules, now: number): string {
  const user = users.get(name);
  if (user) {
    if (isSame(hashPassword(password), user.hash)) return `user ${name}`;
    throw wrongLogin(name);
  }
  if (!ANALYST_NAMES.has(name)) throw wrongLogin(name);
  const found = keys?.find(password, now);
  if (found?.state === 'known') return `key ${found.key.id}`;
  throw wrongLogin(name === '' ? 'analyst' : name);
}

function readLogin(headers: IncomingHttpHeaders, query: URLSearchParams): Sent {
  const one = (name: string) => headers[name]?.toString();
  const key = one('x-api-key') ?? query.get('api_key');
  if (key) return { name: 'analyst', password: key.trim() };
  const [, encoded] = /^Basic ([\w+/=-]+)$/i.exec(one('authorization') ?? '') ?? [];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString();
    const at = text.indexOf(':');
    return at < 0 ? { name: text, password: '' } : { name: text.slice(0, at), password: text.slice(at + 1) };
  }
  const [, bearer] = /^Bearer (\S+)$/i.exec(one('authorization') ?? '') ?? [];
  if (bearer !== undefined) return { name: 'analyst', password: bearer };
  return {
    name: one('x-clickhouse-user') ?? query.get('user') ?? '',
    password: one('x-clickhouse-key') ?? query.get('password') ?? '',
  };
}

function isSame(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
