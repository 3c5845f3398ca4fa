/** Scripts of package.json that run the program. */
const SCRIPTS: readonly (string | undefined)[] = ['start', 'tonhouse'];

/**
 * True if a launcher waits for this process: npm with a script of this package, or bin/tonhouse, which sets
 * `TONHOUSE_LAUNCHED`. Other parents, such as a shell, may end before it.
 */
export function isLaunched(environment: Readonly<Record<string, string | undefined>> = process.env): boolean {
  const { npm_package_name: name, npm_lifecycle_event: script, TONHOUSE_LAUNCHED: launched } = environment;
  return launched === '1' || (name === 'tonhouse' && SCRIPTS.includes(script));
}
