/** Counts of checks, for the last line of a run. */
export const counts = { passed: 0, failed: 0 };

/** Runs a check and prints its outcome. Returns false if it failed. */
export async function check(what: string, attempt: () => Promise<unknown>): Promise<boolean> {
  const begun = performance.now();
  try {
    await attempt();
    counts.passed++;
    console.log(`ok      ${what}: ${Math.round((performance.now() - begun) / 1000)} s`);
    return true;
  } catch (error) {
    counts.failed++;
    const { message, stdout = '', stderr = '' } = error as Error & { stdout?: string; stderr?: string };
    console.log(`FAILED  ${what}: ${[message, stdout, stderr].join('\n').slice(-4_000)}`);
    return false;
  }
}

export function requireEqual(what: string, expected: unknown, found: unknown): void {
  if (found !== expected) throw new Error(`${what}: expected ${expected}, found ${found}`);
}
