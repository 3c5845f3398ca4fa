import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { installPython } from '../../test/helpers/python-packages.ts';

/** Limits that a machine without the right to raise its own accepts. */
const LIMITS = ['nofile=20000:20000', 'nproc=1000:1000'];
const PROGRAMS = ['podman', 'buildah', 'runc', 'debootstrap'];
/** Debian's packages: with the programs, what podman needs for names in networks and for `init: true`. */
const PACKAGES = [...PROGRAMS, 'aardvark-dns', 'netavark', 'iptables', 'catatonit'];
/** Debian's release ignores the order of starts. */
const COMPOSE = 'podman-compose==1.6.0';
const MAX_OUTPUT = 1 << 26;

/** Podman and buildah, with images, containers and networks in a temporary folder. */
export interface ContainerEngine {
  readonly folder: string;
  /** Environment of the programs: they find the folder by it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Resolves to the standard output. @throws Error if the program fails; it has `stdout` and `stderr` */
  run(program: string, words: readonly string[], options?: RunOptions): Promise<string>;
  /** `podman-compose`, with the limits above. */
  compose(words: readonly string[], options?: RunOptions): Promise<string>;
  /** Ends all containers and removes the folder. */
  remove(): Promise<void>;
}

interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Installs what is missing from Debian; returns false if that is not possible. */
export function installPrograms(): boolean {
  const areThere = () => PROGRAMS.every((program) => spawnSync(program, ['--version']).status === 0);
  // Other systems have no dpkg: their programs are enough.
  if (areThere() && spawnSync('dpkg-query', ['--show', ...PACKAGES]).status !== 1) return true;
  if (process.getuid?.() !== 0) return areThere();
  const install = `apt-get update -q && apt-get install -y -q --no-install-recommends ${PACKAGES.join(' ')}`;
  spawnSync('sh', ['-c', install], { stdio: 'ignore', timeout: 600_000 });
  return areThere();
}

function configure(folder: string): Record<string, string> {
  for (const name of ['root', 'run', 'networks']) mkdirSync(join(folder, name), { recursive: true });
  const containers = join(folder, 'containers.conf');
  const storage = join(folder, 'storage.conf');
  writeFileSync(
    containers,
    `[containers]
default_ulimits = [${LIMITS.map((limit) => `"${limit}"`).join(', ')}]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
tmp_dir = "${folder}/run/libpod"
[network]
network_config_dir = "${folder}/networks"
`,
  );
  writeFileSync(
    storage,
    `[storage]\ndriver = "vfs"\ngraphroot = "${folder}/root"\nrunroot = "${folder}/run"\n`,
  );
  return {
    CONTAINERS_CONF: containers,
    CONTAINERS_STORAGE_CONF: storage,
    BUILDAH_ISOLATION: 'chroot',
    // The other format has no HEALTHCHECK.
    BUILDAH_FORMAT: 'docker',
  };
}

/**
 * `kept`: a folder that `remove` leaves with its images, so that a later run builds less. Default: a temporary one.
 * @throws Error if podman-compose cannot be installed
 */
export async function openEngine(kept: string | null): Promise<ContainerEngine> {
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'tonhouse-containers-'));
  mkdirSync(folder, { recursive: true });
  const programs = join(folder, 'venv/bin');
  const bin = existsSync(join(programs, 'podman-compose'))
    ? programs
    : await installPython(folder, [COMPOSE]);
  if (bin === null) throw new Error(`${COMPOSE} cannot be installed from PyPI`);
  const environment = {
    ...process.env,
    ...configure(folder),
    PATH: [bin, process.env.PATH].join(delimiter),
  };
  const run = async (program: string, words: readonly string[], { cwd, env }: RunOptions = {}) => {
    const { stdout } = await promisify(execFile)(program, words, {
      cwd,
      env: { ...environment, ...env },
      maxBuffer: MAX_OUTPUT,
    });
    return stdout;
  };
  // A limit of a service replaces all limits of the configuration.
  const limits = `--podman-run-args=${LIMITS.map((limit) => `--ulimit ${limit}`).join(' ')}`;
  return {
    folder,
    environment,
    run,
    compose: (words, options) => run('podman-compose', [limits, ...words], options),
    remove: async () => {
      await run('podman', ['rm', '--all', '--force', '--time', '0']);
      await run('podman', ['network', 'prune', '--force']);
      await run('podman', ['volume', 'prune', '--force']);
      if (kept === null) rmSync(folder, { recursive: true, force: true });
    },
  };
}
