/** Variables that a child program may need; our settings, with passwords among them, are left out. */
const NEEDED = ['PATH', 'HOME', 'LANG', 'TZ', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'NODE_EXTRA_CA_CERTS'];

/** The environment for a child process that takes its settings only from arguments. */
export function bareEnvironment(): Record<string, string> {
  return Object.fromEntries(
    NEEDED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}
