/** Scripts of package.json that run the program. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'tonhouse'];

/**
 * Whether this process belongs to one that only waits for it: npm with a script of this package, or bin/tonhouse, which
 * says so by `TONHOUSE_LAUNCHED`. Others may leave it running when they end, as a shell does.
 */
export function isLaunched(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  const { npm_package_name: name, npm_lifecycle_event: script, TONHOUSE_LAUNCHED: launched } = environment;
  return launched === '1' || (name === 'tonhouse' && SCRIPTS.includes(script));
}
