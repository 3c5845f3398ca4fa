import { Command } from 'commander';
import { type ApiKey, newKey } from '../../api/keys/api-key.ts';
import { readKeys, writeKey } from '../../api/keys/key-records.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer, printNotice } from '../../platform/observability/terminal.ts';
import { withNetworkStore } from '../compose/network-store.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

const DEFAULT_RATE = '10';
const MAX_RATE = 1_000_000;
const MAX_DAYS = 36_500;
const DAY_SECONDS = 86_400;
const MAX_NAME_LENGTH = 100;

/** `tonhouse keys create | list | revoke`. */
export function keysCommand(command: Command, exit: (code: number) => void): void {
  const create = new Command('create')
    .description('create a key and print it; it is shown only once')
    .argument('<NAME>', 'name of its user, for lists')
    .option('--rate <N>', 'requests per second; 0 for no limit', DEFAULT_RATE)
    .option('--expires-days <N>', 'days until the key expires [default: never]')
    .action(async (name: string, flags: Flags) => exit(await createKey(name, flags)));
  const list = new Command('list')
    .description('list keys, oldest first')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listKeys(flags)));
  const revoke = new Command('revoke')
    .description('revoke a key; servers refuse it and end its streams within two seconds')
    .argument('<ID>', 'id of the key, as listed')
    .action(async (id: string, flags: Flags) => exit(await revokeKey(id, flags)));
  command.addCommand(addSettings(create, STORE_SETTINGS).exitOverride());
  command.addCommand(addSettings(list, STORE_SETTINGS).exitOverride());
  command.addCommand(addSettings(revoke, STORE_SETTINGS).exitOverride());
}

async function createKey(name: string, flags: Flags): Promise<number> {
  if (name === '' || name.length > MAX_NAME_LENGTH)
    throw new SettingError('NAME', {
      found: name,
      allowed: `1 to ${MAX_NAME_LENGTH} characters`,
      origin: 'the arguments',
    });
  const requestsPerSecond = wholeNumber('--rate', flags.rate, 0, MAX_RATE);
  const days =
    flags.expiresDays === undefined ? null : wholeNumber('--expires-days', flags.expiresDays, 1, MAX_DAYS);
  return withNetworkStore(flags, 'write', async (client, network) => {
    const { id, hash, text } = newKey(network);
    const createdAt = Math.floor(Date.now() / 1_000);
    const expiresAt = days === null ? null : createdAt + days * DAY_SECONDS;
    const key = { id, name, hash, requestsPerSecond, createdAt, expiresAt, isRevoked: false };
    await writeKey(client, network, key);
    printAnswer(`${text}\n`);
    printNotice(`key ${id} of ${printable(name)}: keep it, it is not shown again\n`);
    return EXIT.ok;
  });
}

async function listKeys(flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'read', async (client, network) => {
    const keys = await readKeys(client, network);
    const text = () => `${keys.map((key) => `${printable(formatKey(key))}\n`).join('')}${keys.length} keys\n`;
    printAnswer(flags.json ? `${JSON.stringify(keys.map(shownKey))}\n` : text());
    return EXIT.ok;
  });
}

async function revokeKey(id: string, flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'write', async (client, network) => {
    const key = (await readKeys(client, network)).find((one) => one.id === id);
    if (!key)
      throw new SettingError('ID', {
        found: id,
        allowed: 'an id of `tonhouse keys list`',
        origin: 'the arguments',
      });
    if (!key.isRevoked) await writeKey(client, network, { ...key, isRevoked: true });
    printAnswer(`revoked ${id} (${printable(key.name)})\n`);
    return EXIT.ok;
  });
}

/** Fields of a key that are shown: not its hash. */
function shownKey({ id, name, requestsPerSecond, createdAt, expiresAt, ...key }: ApiKey) {
  const state = getKeyState({ expiresAt, ...key });
  return {
    id,
    name,
    state,
    requests_per_second: requestsPerSecond,
    created_at: createdAt,
    expires_at: expiresAt,
  };
}

function formatKey(key: ApiKey): string {
  const rate = key.requestsPerSecond === 0 ? 'no limit' : `${key.requestsPerSecond}/s`;
  const end = key.expiresAt === null ? 'never expires' : `expires ${formatDate(key.expiresAt)}`;
  return [key.id, getKeyState(key).padEnd(7), rate.padEnd(10), formatDate(key.createdAt), end, key.name].join(
    '  ',
  );
}

function getKeyState({ isRevoked, expiresAt }: Pick<ApiKey, 'isRevoked' | 'expiresAt'>): string {
  if (isRevoked) return 'revoked';
  return expiresAt !== null && expiresAt * 1_000 <= Date.now() ? 'expired' : 'valid';
}

function formatDate(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 16).replace('T', ' ');
}

/** @throws SettingError */
function wholeNumber(flag: string, value: unknown, least: number, most: number): number {
  const text = String(value);
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw new SettingError(flag, {
    found: text,
    allowed: `a whole number from ${least} to ${most}`,
    origin: flag,
  });
}
