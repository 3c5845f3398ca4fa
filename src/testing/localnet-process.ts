import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bareEnvironment } from '../platform/config/child-environment.ts';

/** A process that hangs is killed this long after it was asked to stop, ms. */
const STOP_MS = 120_000;
const LOG_TAIL = 8_192;

export interface ProcessOptions {
  readonly launcher: string;
  readonly args: readonly string[];
  /** Folder of compiled code. */
  readonly codeCache: string;
  readonly timeoutMs: number;
}

/** A `tonhouse up` that ends with this process, however this one ends. */
export class LocalnetProcess {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.child = child;
    this.url = url;
  }

  /** Resolves when the API answers. @throws Error with the end of the log */
  static async start({ launcher, args, codeCache, timeoutMs }: ProcessOptions): Promise<LocalnetProcess> {
    const child = spawn(launcher, ['up', ...args, '--log-format', 'json'], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // Settings and options of Node in the environment are those of the test.
      env: { ...bareEnvironment(), NODE_COMPILE_CACHE: codeCache, TONHOUSE_STOP_WITH_INPUT: '1' },
    });
    unreference(child);
    const url = await answeringUrl(child, timeoutMs);
    return new LocalnetProcess(child, url);
  }

  /** Stops in order: everything is stored afterwards. */
  async stop(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.ref();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(killer);
  }
}

/** A chain that was not stopped does not keep the test process running. */
function unreference(child: ChildProcess): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr])
    (stream as unknown as { unref?: () => void } | null)?.unref?.();
}

/** Base address in the log line that is written when the API answers. */
function answeringUrl(child: ChildProcess, timeoutMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let log = '';
    // This timer keeps the test process running during the start.
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`tonhouse up: expected an answering API within ${timeoutMs} ms; its log:\n${log}`));
    }, timeoutMs);
    const read = (text: string) => {
      log = (log + text).slice(-LOG_TAIL);
      const url = /"v3":"(http:[^"]+)\/api\/v3/.exec(log)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read);
    const failed = (what: string) => {
      clearTimeout(timer);
      reject(new Error(`tonhouse up: expected an answering API, ${what}; its log:\n${log}`));
    };
    child.on('error', (error) => failed(error.message));
    child.on('exit', (code, signal) => failed(`it ended with code ${code}, signal ${signal}`));
  });
}
