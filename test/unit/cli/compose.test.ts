import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../../src/cli/program.ts';
import { SETTINGS, type SettingName } from '../../../src/platform/config/settings.ts';
import { composeServices } from '../../integration/kafka/compose-services.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');

/** A service, with the fields that compose-services.ts does not need: order of starts, sources of files. */
interface Service {
  readonly image?: string;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string; readonly required?: boolean }>>;
  readonly healthcheck?: { readonly test: readonly string[]; readonly disable?: boolean };
  readonly volumes?: readonly string[];
  readonly mem_limit?: string;
}

const PASSWORD = { TONHOUSE_CLICKHOUSE_PASSWORD: 'secret', TONHOUSE_CLICKHOUSE_READ_PASSWORD: 'read' };
const services = composeServices(PASSWORD) as unknown as Readonly<Record<string, Service>>;
const named = Object.entries(services);
const stages = named.filter(([, { image }]) => image === 'tonhouse:server');
const file = parse(read('docker-compose.yml'), { merge: true }) as {
  volumes: Record<string, null>;
};
const SHARDS = ['clickhouse-01', 'clickhouse-02'];

describe('docker-compose.yml', () => {
  it.each(stages)('%s runs a command of the program, with settings that it has', async (_, service) => {
    const [name, ...rest] = service.command ?? [];
    const program = await createProgram([name ?? ''], () => {});
    const command = program.commands.find((one) => one.name() === name);
    expect(command, name).toBeDefined();
    const accepted = (command?.options ?? []).map(
      (option) => SETTINGS[option.attributeName() as SettingName]?.env,
    );
    expect(accepted.length).toBeGreaterThan(0);
    const known = Object.values(SETTINGS).map(({ env }) => env);
    for (const env of Object.keys(service.environment ?? {})) {
      expect(known).toContain(env);
      // Settings that the stages share are given to all of them, whether or not a command reads them.
      if (!/SESSION_MS|LOG_FORMAT|VERIFY_LEVEL|DECODE_WORKERS/.test(env))
        expect(accepted, name).toContain(env);
    }
    expect(rest.length).toBeLessThanOrEqual(1);
  });

  it('starts every stage, and typed topics only on request', () => {
    const commands = stages.map(([name, { command, profiles }]) => [name, command?.[0], profiles ?? []]);
    expect(commands).toEqual([
      ['topics', 'topics', []],
      ['migrate', 'migrate', []],
      ['capture', 'capture', []],
      ['decode', 'decode', []],
      ['publish', 'publish', ['publish']],
      ['serve', 'serve', []],
    ]);
    expect(services.publish?.environment).not.toHaveProperty('TONHOUSE_CLICKHOUSE_URL');
  });

  it('waits only for existing services, and for health if it is checked', () => {
    for (const [name, { depends_on = {}, profiles = [] }] of named) {
      for (const [other, { condition, required = true }] of Object.entries(depends_on)) {
        const waited = services[other];
        expect(waited, `${name} waits for ${other}`).toBeDefined();
        if (condition === 'service_healthy') expect(waited?.healthcheck?.disable, other).not.toBe(true);
        // Compose refuses to start a service that waits for one whose profile is off.
        if (required)
          expect(profiles, `${name} waits for ${other}`).toEqual(
            expect.arrayContaining([...(waited?.profiles ?? [])]),
          );
      }
    }
  });

  it('mounts files and volumes that there are', () => {
    for (const [name, { volumes = [] }] of named) {
      for (const volume of volumes) {
        const from = volume.split(':')[0] ?? '';
        if (from.startsWith('./clickhouse/')) expect(existsSync(join(PROJECT, from)), from).toBe(true);
        else if (!/^[./]/.test(from)) expect(Object.keys(file.volumes), name).toContain(from);
      }
    }
  });
});

describe('the images', () => {
  const dockerfile = read('Dockerfile');
  const one = parse(read('compose.one.yml')) as { services: Record<string, Service & { build: string }> };

  it('asks /readyz in serve only: other stages have no API', () => {
    expect(dockerfile).toMatch(/^HEALTHCHECK .*\n.*\/readyz/m);
    const asked = stages.filter(([, { healthcheck }]) => healthcheck?.disable !== true).map(([name]) => name);
    expect(asked).toEqual(['serve']);
  });

  it('has no chdb for stages that use a server', () => {
    const target = /^FROM program AS server\nCOPY --from=(\w+) /m.exec(dockerfile)?.[1];
    const from = new RegExp(`^FROM \\S+ AS ${target}\n[\\s\\S]*?^RUN (.*)$`, 'm').exec(dockerfile)?.[1];
    expect(from).toContain('--omit=dev --omit=optional');
    for (const [, service] of stages) expect(service).toMatchObject({ build: { target: 'server' } });
    // `docker build .` makes the last one.
    expect(dockerfile.trimEnd().split('\n').at(-1)).toContain('--from=packages-with-store');
    expect(one.services.tonhouse).toMatchObject({ build: '.', image: 'tonhouse', command: ['up'] });
  });

  it('limits the memory of every service that it builds or stores with', () => {
    for (const [name, { mem_limit, profiles = [] }] of named)
      if (!profiles.includes('grafana')) expect(mem_limit, name).toMatch(/^\dg$/);
    expect(one.services.tonhouse?.mem_limit).toContain('TONHOUSE_MEMORY:-4g');
  });

  it('gives the one container settings that `up` has', async () => {
    const program = await createProgram(['up'], () => {});
    const accepted = program.commands
      .find((command) => command.name() === 'up')
      ?.options.map((option) => SETTINGS[option.attributeName() as SettingName]?.env);
    for (const env of Object.keys(one.services.tonhouse?.environment ?? {})) expect(accepted).toContain(env);
  });
});

describe('the profile cluster', () => {
  const values = (xml: string, tag: string) =>
    [...xml.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, value]) => value);

  it('has two shards and a Keeper, all watched, of the image of the single server', () => {
    const cluster = named.filter(([, { profiles }]) => profiles?.includes('cluster'));
    expect(cluster.map(([name]) => name)).toEqual(['clickhouse-keeper', ...SHARDS]);
    for (const [, service] of cluster) {
      expect(service.healthcheck).toBeDefined();
      expect(service.image).toBe(services.clickhouse?.image);
    }
  });

  it('names its servers, their shards and its Keeper alike in all files', () => {
    const xml = read('clickhouse/cluster/servers.xml');
    const keeper = read('clickhouse/cluster/keeper.xml');
    expect(values(xml, 'host')).toEqual([...SHARDS, 'clickhouse-keeper']);
    expect(values(xml, 'port').at(-1)).toBe(values(keeper, 'tcp_port')[0]);
    expect(values(keeper, 'hostname')).toEqual(['clickhouse-keeper']);
    expect(services['clickhouse-keeper']?.healthcheck?.test.at(-1)).toBe(
      `http://127.0.0.1:${values(keeper, 'port').at(-1)}/ready`,
    );
    const fromEnvironment = [...xml.matchAll(/from_env="(\w+)"/g)].map(([, name]) => name as string);
    for (const [i, name] of SHARDS.entries()) {
      const environment = services[name]?.environment ?? {};
      for (const variable of fromEnvironment) expect(Object.keys(environment), name).toContain(variable);
      expect(environment.TONHOUSE_SHARD).toBe(i + 1);
    }
  });

  it('is what the two lines of docs/cluster.md choose', () => {
    const lines = Object.fromEntries(
      [...read('docs/cluster.md').matchAll(/^(TONHOUSE_CLICKHOUSE_(?:URL|CLUSTER))=(\S+)/gm)].map(
        ([, name, value]) => [name, value],
      ),
    );
    expect(new URL(lines.TONHOUSE_CLICKHOUSE_URL ?? '').hostname).toBe(SHARDS[0]);
    expect(read('clickhouse/cluster/servers.xml')).toContain(`<${lines.TONHOUSE_CLICKHOUSE_CLUSTER}>`);
    const { environment } = composeServices({ ...PASSWORD, ...lines }).decode ?? {};
    expect(environment).toMatchObject(lines);
  });
});
