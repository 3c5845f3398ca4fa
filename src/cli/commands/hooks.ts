import { Command } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { type Hook, newHookKeys } from '../../api/hooks/hook.ts';
import { HookRecords } from '../../api/hooks/hook-records.ts';
import { parseSubscription } from '../../api/hooks/hook-server.ts';
import { HttpError } from '../../api/http/errors/http-error.ts';
import { readPosition } from '../../api/streaming/position.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer, printNotice } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { openSessionStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse hooks add | list | remove | dead-letters | retry`. */
export function hooksCommand(command: Command, exit: (code: number) => void): void {
  const add = new Command('add')
    .description('add a webhook and print its id and secret; the secret is shown only once')
    .argument('<URL>', 'address that receives the events')
    .requiredOption('--filter <JSON>', 'events to send, as a subscription of the streaming API')
    .option('--from <ID>', 'start after this event id or masterchain seqno [default: the newest]')
    .option('--allow-private', 'allow addresses of loopback and local networks')
    .action(async (url: string, flags: Flags) => exit(await addHook(url, flags)));
  const list = new Command('list')
    .description('list webhooks and their positions, oldest first')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listHooks(flags)));
  const remove = new Command('remove')
    .description('remove a webhook; servers stop within two seconds')
    .argument('<ID>', 'id of the webhook, as listed')
    .action(async (id: string, flags: Flags) => exit(await removeHook(id, flags)));
  const dead = new Command('dead-letters')
    .description('list failed deliveries')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listDeadLetters(flags)));
  const retry = new Command('retry')
    .description('retry failed deliveries')
    .argument('[ID]', 'id of one webhook [default: all]')
    .action(async (id: string | undefined, flags: Flags) => exit(await retryDeadLetters(id ?? null, flags)));
  const all = [add, list, remove, dead, retry];
  all.reduce((parent, one) => parent.addCommand(addSettings(one, STORE_SETTINGS).exitOverride()), command);
}

async function addHook(url: string, flags: Flags): Promise<number> {
  checkUrl(url);
  const filter = String(flags.filter);
  checkFilter(filter);
  const start = String(flags.from ?? '');
  if (start !== '' && readPosition(start) === null)
    throw new SettingError('--from', { found: start, allowed: 'SEQNO or SEQNO-NUMBER', origin: '--from' });
  return withRecords(flags, async (records) => {
    const hook: Hook = {
      ...newHookKeys(),
      url,
      filter,
      start,
      allowsPrivate: flags.allowPrivate === true,
      createdAt: Math.floor(Date.now() / 1_000),
      isRemoved: false,
    };
    await records.write(hook);
    printAnswer(`${hook.id} ${hook.secret}\n`);
    printNotice('keep the secret: it signs deliveries, and is not shown again\n');
    return EXIT.ok;
  });
}

function listHooks(flags: Flags): Promise<number> {
  return withRecords(flags, async (records) => {
    const positions = await records.positions();
    const hooks = (await records.list()).map(({ secret: _secret, isRemoved: _removed, ...hook }) => ({
      ...hook,
      position: positions.get(hook.id) ?? null,
    }));
    const text = () =>
      hooks.map(({ id, position, url }) => `${printable(`${id}  ${position ?? '–'}  ${url}`)}\n`).join('');
    printAnswer(flags.json ? `${JSON.stringify(hooks)}\n` : `${text()}${hooks.length} webhooks\n`);
    return EXIT.ok;
  });
}

function removeHook(id: string, flags: Flags): Promise<number> {
  return withRecords(flags, async (records) => {
    const hook = (await records.list()).find((one) => one.id === id);
    if (!hook)
      throw new SettingError('ID', {
        found: id,
        allowed: 'an id of `tonhouse hooks list`',
        origin: 'the arguments',
      });
    await records.write({ ...hook, isRemoved: true });
    printAnswer(`removed ${id} (${printable(hook.url)})\n`);
    return EXIT.ok;
  });
}

function listDeadLetters(flags: Flags): Promise<number> {
  return withRecords(flags, async (records) => {
    const letters = await records.deadLetters('open');
    const text = () =>
      letters.map(({ delivery, error }) => `${printable(`${delivery}  ${error}`)}\n`).join('');
    printAnswer(flags.json ? `${JSON.stringify(letters)}\n` : `${text()}${letters.length} dead letters\n`);
    return EXIT.ok;
  });
}

function retryDeadLetters(id: string | null, flags: Flags): Promise<number> {
  return withRecords(flags, async (records) => {
    printAnswer(`${await records.retry(id)} deliveries will be sent once more\n`);
    return EXIT.ok;
  });
}

/** Runs work on the webhooks of the network of a data directory. */
function withRecords(flags: Flags, work: (records: HookRecords) => Promise<number>): Promise<number> {
  const settings = resolveSettings(STORE_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const client = await openSessionStore(log.directory, settings, session);
    await prepareBegun(client, identity, PROJECTIONS);
    return work(new HookRecords(client, identity.network));
  });
}

/** @throws SettingError */
function checkUrl(url: string): void {
  const parsed = URL.parse(url);
  const isUsable =
    parsed && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.password === '';
  if (!isUsable)
    throw new SettingError('URL', {
      found: url,
      allowed: 'an http:// or https:// address without user and password',
      origin: 'the arguments',
    });
}

/** @throws SettingError with the words of the streaming API */
function checkFilter(filter: string): void {
  try {
    parseSubscription(filter);
  } catch (error) {
    if (!(error instanceof HttpError || error instanceof SyntaxError)) throw error;
    const allowed = `a subscription as JSON (${error.message})`;
    throw new SettingError(
      '--filter',
      { found: filter.slice(0, 200), allowed, origin: '--filter' },
      { cause: error },
    );
  }
}
