import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerEngine } from '../../scripts/containers/container-engine.ts';

const ROOT = `${import.meta.dirname}/../..`;
/** Long enough for a busy machine: it only ends what hangs. */
const UNTIL_MS = 600_000;

/** Services of a compose file, run by podman-compose in this checkout. */
export class Services {
  readonly #engine: ContainerEngine;
  readonly #project: readonly string[];
  readonly #env: Readonly<Record<string, string>>;
  readonly #name: string;

  constructor(
    engine: ContainerEngine,
    { name, file }: { name: string; file: string },
    env: Record<string, string>,
  ) {
    this.#engine = engine;
    this.#name = name;
    this.#project = ['-p', name, '-f', file];
    // The image is built before: podman-compose would build it for each service.
    this.#env = env;
  }

  container(service: string, number = 1): string {
    return `${this.#name}_${service}_${number}`;
  }

  /**
   * Starts services, which wait for nothing: podman before 4.6 cannot wait for health, and refuses to start a container after one
   * that has ended. The caller waits as the file says.
   */
  async up(...words: readonly string[]): Promise<void> {
    const options = ['up', '--detach', '--no-build', '--no-deps', '--no-recreate'];
    await this.#compose([...options, ...words]);
  }

  /** Ends all services and removes their data. */
  async down(): Promise<void> {
    await this.#compose(['down', '--volumes']);
  }

  /** Resolves when a health check passes. Without systemd podman does not run it by itself. */
  async healthy(service: string): Promise<void> {
    const check = ['healthcheck', 'run', this.container(service)];
    await this.until(
      `${service} is healthy`,
      () => this.#engine.run('podman', check).then(() => true),
      service,
    );
  }

  /** Resolves to the exit code of a service that ends by itself. */
  async exitCode(service: string): Promise<number> {
    return Number(await this.#engine.run('podman', ['wait', this.container(service)]));
  }

  /** Stops a container as `docker stop` does; resolves to its exit code. */
  async stop(service: string, number = 1): Promise<number> {
    const container = this.container(service, number);
    await this.#engine.run('podman', ['stop', '--time', '60', container]);
    return Number(
      await this.#engine.run('podman', ['inspect', '--format', '{{.State.ExitCode}}', container]),
    );
  }

  async logs(service: string): Promise<string> {
    // Containers log to the error output.
    return this.#engine.run('sh', ['-c', `podman logs --tail 20 ${this.container(service)} 2>&1`]);
  }

  /** @throws Error with the last lines of a service's log if it takes too long */
  async until(what: string, look: () => Promise<boolean>, service: string): Promise<void> {
    let last: unknown = 'not yet';
    for (const deadline = Date.now() + UNTIL_MS; ; await sleep(1_000)) {
      try {
        if (await look()) return;
      } catch (error) {
        last = error;
      }
      if (Date.now() > deadline)
        throw new Error(`${what}: not within ${UNTIL_MS} ms: ${last}\n${await this.logs(service)}`);
    }
  }

  async #compose(words: readonly string[]): Promise<void> {
    await this.#engine.compose([...this.#project, ...words], { cwd: ROOT, env: this.#env });
  }
}
