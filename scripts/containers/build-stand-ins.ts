import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { kafkaClasspath, kafkaToolsClasspath } from '../../test/helpers/kafka-jars.ts';
import type { ContainerEngine } from './container-engine.ts';

const ROOT = join(import.meta.dirname, '../..');
const BASE = 'localhost/stand-in-base';
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** What the stand-in of ClickHouse runs, at the same relative paths. */
const ENGINE_FILES = [
  'src/platform/clickhouse/embedded/library.ts',
  'src/platform/clickhouse/embedded/server-constants.ts',
  'test/helpers/ddl-queue.ts',
  ...['clickhouse', 'engine', 'keeper', 'server'].map((name) => `scripts/containers/clickhouse/${name}.ts`),
  ...['chdb', '@chdb', 'ffi-rs', '@yuuang'].map((name) => `node_modules/${name}`),
];

/**
 * Builds images under the names of docker-compose.yml and the Dockerfile, from Debian, npm and Maven Central: the machine
 * may have no registry of images. Mirrors are those of the machine's own configuration.
 */
export async function buildStandIns(engine: ContainerEngine): Promise<void> {
  if (!(await exists(engine, BASE))) await buildBase(engine);
  await build(engine, 'node', 'docker.io/library/node:26-bookworm-slim', async (context) => {
    await engine.run('npm', ['install', '--silent', '--prefix', context, 'npm@11']);
    cpSync(join(context, 'node_modules/npm'), join(context, 'npm'), { recursive: true });
    copyFileSync(join(ROOT, 'node_modules/node/bin/node'), join(context, 'node'));
  });
  await build(engine, 'kafka', 'docker.io/apache/kafka:4.1.0', async (context) => {
    copyJars(await kafkaClasspath(), join(context, 'libs'));
    copyJars(await kafkaToolsClasspath(), join(context, 'tools'));
  });
  await build(engine, 'clickhouse', 'docker.io/clickhouse/clickhouse-server:26.7', async (context) => {
    const files = join(context, 'stand-in');
    for (const file of ENGINE_FILES)
      cpSync(join(ROOT, file), join(files, file), { recursive: true, dereference: true });
    copyFileSync(join(ROOT, 'package.json'), join(files, 'package.json'));
    for (const file of ['config.xml', 'users.xml', 'entrypoint.sh'])
      cpSync(join(context, file), join(files, file));
  });
}

/** Debian with the certificates of the machine, whose mirrors may have their own. */
async function buildBase(engine: ContainerEngine): Promise<void> {
  const root = join(engine.folder, 'debian');
  await engine.run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'bookworm', root]);
  for (const folder of ['var/cache/apt/archives', 'usr/share/doc', 'usr/share/locale', 'usr/share/man'])
    rmSync(join(root, folder), { recursive: true });
  mkdirSync(join(root, 'var/cache/apt/archives/partial'), { recursive: true });
  mkdirSync(join(root, 'usr/share/man/man1'), { recursive: true });
  copyFileSync(CERTIFICATES, join(root, CERTIFICATES));
  const tar = join(engine.folder, 'debian.tar');
  await engine.run('tar', ['-C', root, '-cf', tar, '.']);
  const certificates = `ENV NODE_EXTRA_CA_CERTS=${CERTIFICATES}`;
  await engine.run('podman', ['import', '--change', certificates, tar, BASE]);
  rmSync(root, { recursive: true });
  rmSync(tar);
}

async function build(
  engine: ContainerEngine,
  name: string,
  image: string,
  fill: (context: string) => Promise<void>,
): Promise<void> {
  if (await exists(engine, image)) return;
  const context = join(engine.folder, `context-${name}`);
  cpSync(join(import.meta.dirname, name), context, { recursive: true });
  await fill(context);
  await engine.run('buildah', ['bud', '--quiet', '--tag', image, context]);
  rmSync(context, { recursive: true });
}

/** True for an image of an earlier run. */
async function exists(engine: ContainerEngine, image: string): Promise<boolean> {
  return (await engine.run('podman', ['images', '--quiet', image])).trim() !== '';
}

function copyJars(classpath: string, folder: string): void {
  mkdirSync(folder);
  for (const jar of classpath.split(delimiter)) copyFileSync(jar, join(folder, basename(jar)));
}
