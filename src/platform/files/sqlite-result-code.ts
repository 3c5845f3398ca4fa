/** Result code of SQLite (https://sqlite.org/rescode.html) without its extension bits; null for other errors. */
export function sqliteResultCode(error: unknown): number | null {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : null;
  return typeof code === 'number' ? code & 0xff : null;
}
