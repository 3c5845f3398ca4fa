import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * The newest Kafka 4. Its POM names `kafka-tools-api`, which is not published and not needed by a broker; the simple
 * logger prints errors to stderr.
 */
const BROKER_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
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

/** Kafka's command line tools; of a fixed version, since a range is looked up one by one. */
const TOOLS_POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>tonhouse.test</groupId>
  <artifactId>kafka-tools-classpath</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka-tools</artifactId>
      <version>4.3.1</version>
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

/** Jars that Maven resolves, and the cache folder with their paths. */
interface JarSet {
  readonly name: string;
  readonly pom: string;
}

const BROKER: JarSet = { name: 'kafka', pom: BROKER_POM };
const TOOLS: JarSet = { name: 'kafka-tools', pom: TOOLS_POM };

const RESOLVE_MS = 600_000;
/** A lock older than this was left by a killed process. */
const STALE_LOCK_MS = RESOLVE_MS + 60_000;

const cacheFolder = ({ name }: JarSet) =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tonhouse-test', name);

const answers = (command: string, ...args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Whether a broker can be started from the jars here: Java is there, and Maven or jars that it fetched before. */
export function canRunJars(): boolean {
  return answers('java', '-version') && (cachedClasspath(BROKER) !== null || answers('mvn', '--version'));
}

/** The classpath of a broker; Maven runs once, later starts use its cached jars. */
export function kafkaClasspath(): Promise<string> {
  return classpath(BROKER);
}

/** The classpath of Kafka's command line tools. */
export function kafkaToolsClasspath(): Promise<string> {
  return classpath(TOOLS);
}

async function classpath(jars: JarSet): Promise<string> {
  const folder = cacheFolder(jars);
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, 'resolving');
  while (!cachedClasspath(jars)) {
    if (takeLock(lock)) {
      try {
        await resolveJars(folder, jars);
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    } else await new Promise((resolve) => setTimeout(resolve, 500));
  }
  return cachedClasspath(jars) as string;
}

function cachedClasspath(jars: JarSet): string | null {
  const file = join(cacheFolder(jars), 'classpath.txt');
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

async function resolveJars(folder: string, { pom }: JarSet): Promise<void> {
  writeFileSync(join(folder, 'pom.xml'), pom);
  const found = join(folder, `classpath.${process.pid}.txt`);
  const goal = ['-q', '-B', 'dependency:build-classpath', `-Dmdep.outputFile=${found}`];
  await promisify(execFile)('mvn', goal, { cwd: folder, timeout: RESOLVE_MS });
  renameSync(found, join(folder, 'classpath.txt'));
}
