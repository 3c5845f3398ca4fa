import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { callHttp } from '../http-call.ts';

/** Files and directories that another user of this machine can open. */
export const directoryModes: Attack = {
  name: 'modes of the data directory',
  holds: 'nobody but its owner can enter it; files with passwords and keys are 0600',
  async run({ server, must }) {
    const mode = (path: string) => statSync(path).mode & 0o777;
    const open = (path: string) => (mode(path) & 0o077) !== 0;
    must(!open(server.directory), `the data directory is ${mode(server.directory).toString(8)}`);
    const secrets = [
      join(server.directory, 'clickhouse/server.json'),
      join(server.directory, 'clickhouse/users.xml'),
      join(server.directory, 'localnet/control.json'),
    ];
    for (const file of secrets.filter((one) => existsSync(one)))
      must(!open(file), `${file.slice(server.directory.length + 1)} is ${mode(file).toString(8)}`);
    for (const name of readdirSync(server.directory)) {
      const path = join(server.directory, name);
      must(!open(path), `${name} is ${mode(path).toString(8)}`);
    }
  },
};

/** The port by which `tonhouse localnet` commands the chain, without its token. */
export const anonymousControl: Attack = {
  name: 'anonymous at the chain control',
  holds: 'no command is taken without the token, whatever its size',
  async run({ server, must }) {
    const { port } = JSON.parse(readFileSync(join(server.directory, 'localnet/control.json'), 'utf8'));
    const route = { host: '127.0.0.1', port: Number(port) };
    const body = JSON.stringify({
      blocks: 1,
      seconds: 1,
      workchain: 0,
      address: 'a'.repeat(64),
      amount: '1',
    });
    for (const path of ['/mine', '/warp', '/fund', '/', '/__proto__']) {
      for (const authorization of [
        '',
        'Bearer',
        'Bearer x',
        `Bearer ${'x'.repeat(10_000)}`,
        'Basic OnBhc3M=',
      ]) {
        const { status } = await callHttp(route, { path, body, headers: { authorization } });
        must(status >= 400 && status < 500, `${path} with "${authorization.slice(0, 10)}": ${status}`);
      }
    }
    const large = {
      path: '/fund',
      body: Buffer.alloc(20_000_000, 'a'),
      headers: { authorization: 'Bearer x' },
    };
    await Promise.all(Array.from({ length: 5 }, () => callHttp(route, large)));
  },
};

const REFUSED_MS = 60_000;

/** A second start on the same directory. */
export const secondServer: Attack = {
  name: 'a second server on the directory',
  holds: 'it is refused, and the first keeps its chain and its control',
  async run({ server, must }) {
    const control = join(server.directory, 'localnet/control.json');
    const before = readFileSync(control, 'utf8');
    const second = server.startSecond();
    // A loaded machine takes its time to start it: ended before it looks at the directory, it would end in order.
    const ended = await Promise.race([second.exited, sleep(REFUSED_MS)]);
    if (!ended) {
      second.signal('SIGKILL');
      await second.exited;
    }
    must(ended === undefined || (ended.code ?? 0) !== 0, 'the second server was not refused');
    must(ended !== undefined, `the second server did not end: ${second.words.slice(-200)}`);
    must(
      existsSync(control) && readFileSync(control, 'utf8') === before,
      'localnet/control.json was changed',
    );
  },
};
