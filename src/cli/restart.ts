import { restartProcess } from '../platform/config/launcher.ts';
import type { Shutdown } from '../platform/observability/shutdown.ts';

/** A restart of this process at the same ports, after its session has ended in order. */
export class Restart {
  private readonly ports: string[] = [];
  private isRequested = false;

  /** Keeps the port of a server if it was free to choose one. */
  keepPort(flag: string, given: number | undefined, port: number): void {
    if (given !== port) this.ports.push(flag, `${port}`);
  }

  request(shutdown: Shutdown): void {
    this.isRequested = true;
    shutdown.request();
  }

  /** Called after the session. It does not return if a restart was requested. */
  run(): void {
    if (this.isRequested) restartProcess(this.ports);
  }
}
