/**
 * `npm run -s test:containers`: builds the images of the Dockerfile on stand-ins of the images that it and the compose files
 * name, runs compose.one.yml and docker-compose.yml with podman, and suites of Kafka and ClickHouse with testcontainers. `--keep DIR`
 * keeps stand-ins for the next run. `--only TEXT` runs some parts. The last line is `N passed, N failed`.
 */
import { parseArgs } from 'node:util';
import { buildStandIns } from '../../scripts/containers/build-stand-ins.ts';
import {
  type ContainerEngine,
  installPrograms,
  openEngine,
} from '../../scripts/containers/container-engine.ts';
import { sharedData } from '../helpers/shared-data-folder.ts';
import { check, counts } from './checks.ts';
import { checkContractSuites } from './contract-suites.ts';
import { checkOneContainer } from './one-container.ts';
import { checkWholeCompose } from './whole-compose.ts';

const USAGE = `usage: npm run -s test:containers -- [options]

  --keep DIR   keep stand-ins of images in DIR for the next run
  --only TEXT  run the parts whose names contain this text: compose.one.yml, docker-compose.yml, testcontainers
  --help       this text

Needs podman, buildah and debootstrap, and installs them as root on Debian; without them it is skipped. The last line is
\`N passed, N failed\`.
`;

const ROOT = `${import.meta.dirname}/../..`;
const { values } = parseArgs({
  options: {
    keep: { type: 'string' },
    only: { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit(0);
}

const PARTS: readonly {
  readonly file: string;
  /** The image that is built before. */
  readonly image?: readonly string[];
  run(engine: ContainerEngine): Promise<void>;
}[] = [
  { file: 'compose.one.yml', image: ['--tag', 'localhost/tonhouse'], run: checkOneContainer },
  {
    file: 'docker-compose.yml',
    image: ['--tag', 'localhost/tonhouse:server', '--target', 'server'],
    run: async (engine) => {
      if (sharedData === null) console.log('skipped: docker-compose.yml: ../shared/data is not here');
      else await checkWholeCompose(engine, sharedData);
    },
  },
  { file: 'testcontainers', run: checkContractSuites },
];

async function runAll(): Promise<void> {
  const engine = await openEngine(values.keep ?? null);
  try {
    if (!(await check('stand-ins of images are built', () => buildStandIns(engine)))) return;
    for (const { file, image, run } of PARTS.filter((part) => part.file.includes(values.only))) {
      const build = () => engine.run('buildah', ['bud', '--quiet', ...(image ?? []), ROOT]);
      if (image === undefined || (await check(`${file}: the image is built`, build))) await run(engine);
    }
  } finally {
    await engine.remove();
  }
}

if (installPrograms()) await runAll();
else console.log('skipped: podman, buildah and debootstrap are not here and cannot be installed');
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
