import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const PROJECT = join(import.meta.dirname, '../../..');

/** A service of docker-compose.yml, with its variables filled in. */
export interface ComposeService {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: object;
}

/** Services by name, with the variables of `.env`. @throws Error if a required variable is missing */
export function composeServices(environment: Readonly<Record<string, string>>) {
  const text = readFileSync(join(PROJECT, 'docker-compose.yml'), 'utf8');
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  return fill(services, environment) as Record<string, ComposeService>;
}

/** Words that the image runs in front of a service's command: ENTRYPOINT of the Dockerfile. */
export function entryPoint(): readonly string[] {
  const words = /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync(join(PROJECT, 'Dockerfile'), 'utf8'))?.[1];
  if (words === undefined) throw new Error('the Dockerfile has no ENTRYPOINT in the form of a list');
  return JSON.parse(words) as string[];
}

/** `${NAME}`, `${NAME:-default}`, `${NAME:?message}`, as compose reads them. */
const VARIABLE = /\$\{(\w+)(?::([-?])([^}]*))?\}/g;

function fill(value: unknown, environment: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((one) => fill(one, environment));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, fill(one, environment)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(VARIABLE, (_all, name: string, kind?: string, rest = '') => {
    const given = environment[name];
    if (given) return given;
    if (kind === '?') throw new Error(`${name}: ${rest}`);
    return kind === '-' ? rest : '';
  });
}
