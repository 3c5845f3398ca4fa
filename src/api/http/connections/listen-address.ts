import { type AddressInfo, createServer } from 'node:net';
import { SettingError } from '../../../platform/config/setting.ts';

/** Address that the API listens on, or, with a prefix, another server. */
export interface ListenAddress {
  /** Begins the names of its settings: `--metrics-host`, `--metrics-port`. */
  readonly prefix?: 'metrics' | 'sql';
  readonly host: string;
  readonly port: number;
}

/** Failures to listen that another `--port` or `--host` mends. */
const PORT_CODES: ReadonlySet<unknown> = new Set(['EADDRINUSE', 'EACCES']);
const HOST_CODES: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL']);

/**
 * That the address can be listened on, before a store is started for it.
 * @throws SettingError
 */
export async function checkAddress(address: ListenAddress): Promise<void> {
  await namingAddress(address, () => freePort(address));
}

/** The port, or any for 0, where nothing listens on it; else it rejects with the system's error. */
export function freePort({ host, port }: ListenAddress): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(port, host, () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => done(found));
    });
  });
}

/**
 * Runs a listener on the address.
 * @throws SettingError if it is not possible to listen there
 */
export async function namingAddress<T>(
  { prefix, host, port }: ListenAddress,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    const use = (setting: string, found: string, allowed: string) =>
      new SettingError(
        `--${prefix ? `${prefix}-` : ''}${setting}`,
        { found, allowed: `${allowed} (${code})`, origin: 'the settings' },
        { cause },
      );
    if (PORT_CODES.has(code)) throw use('port', `${port}`, `a port of ${host} that may be used and is free`);
    if (HOST_CODES.has(code)) throw use('host', host, 'an address of this machine');
    throw cause;
  }
}
