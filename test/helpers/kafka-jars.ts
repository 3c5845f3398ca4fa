import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The newest Kafka 4. `kafka-tools-api` is named by its POM, is not published and not needed by a broker; the simple
 * logger says on stderr what goes wrong.
 */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tonhouse.test</groupId>
  <artifactId>kafka-classpath</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>[4.0,5.0)</version>
      <exclusions>
        <exclusion>
          <groupId>org.apache.kafka</groupId>
          <artifactId>kafka-tools-api</artifactId>
        </exclusion>
      </exclusions>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

const RESOLVE_MS = 600_000;
/** A lock older than this was left by a killed process. */
const STALE_LOCK_MS = RESOLVE_MS + 60_000;

const cacheFolder = () =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tonhouse-test', 'kafka');

const answers = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether a broker can be started from the jars here: Java is there, and Maven or jars that it fetched before. */
export function canRunJars(): boolean {
  return answers('java', '-version') && (cachedClasspath() !== null || answers('mvn', '--version'));
}

/** The classpath of a broker; Maven is asked once, later starts find the jars where it has put them. */
export async function kafkaClasspath(): Promise<string> {
  const folder = cacheFolder();
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'resolving');
  while (!cachedClasspath()) {
    if (takeLock(lock)) {
      try {
        await resolveJars(folder);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    } else await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return cachedClasspath() as string;
}

function cachedClasspath(): string | null {
  const file = join(cacheFolder(), 'classpath.txt');
  if (!existsSync(file)) return null;
  const classpath = readFileSync(file, 'utf8').trim();
  return classpath.split(delimiter).every((jar) => existsSync(jar)) ? classpath : null;
}

/** One Maven at a time: two of them may not write to the same local repository. */
function takeLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > STALE_LOCK_MS) rmSync(lock, { recursive: true, force: true });
    return false;
  }
}

async function resolveJars(folder: string): Promise<void> {
  writeFileSync(join(folder, 'pom.xml'), POM);
  const found = join(folder, `classpath.${process.pid}.txt`);
  const goal = ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${found}`];
  await promisify(execFile)('mvn', goal, { cwd: folder, timeout: RESOLVE_MS });
  renameSync(found, join(folder, 'classpath.txt'));
}
