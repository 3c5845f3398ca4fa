import { Command } from 'commander';
import { newPassword, readSqlUsers, SQL_USER_NAME, writeSqlUser } from '../../api/sql/sql-users.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { printAnswer, printNotice } from '../../platform/observability/terminal.ts';
import { withNetworkStore } from '../compose/network-store.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse sql-users add | list | remove`. */
export function sqlUsersCommand(command: Command, exit: (code: number) => void): void {
  const add = new Command('add')
    .description('add a user and print its password; it is shown only once')
    .argument('<NAME>', 'name that the user logs in with')
    .action(async (name: string, flags: Flags) => exit(await addUser(name, flags)));
  const list = new Command('list')
    .description('list users by name')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listUsers(flags)));
  const remove = new Command('remove')
    .description('remove a user; servers refuse it within two seconds')
    .argument('<NAME>', 'name of the user')
    .action(async (name: string, flags: Flags) => exit(await removeUser(name, flags)));
  command.addCommand(addSettings(add, STORE_SETTINGS).exitOverride());
  command.addCommand(addSettings(list, STORE_SETTINGS).exitOverride());
  command.addCommand(addSettings(remove, STORE_SETTINGS).exitOverride());
}

async function addUser(name: string, flags: Flags): Promise<number> {
  if (!SQL_USER_NAME.test(name))
    throw wrongName(name, `a name like ${SQL_USER_NAME}: not analyst or default, which need no user`);
  return withNetworkStore(flags, 'write', async (client, network) => {
    if ((await readSqlUsers(client, network)).some((user) => user.name === name))
      throw wrongName(name, 'a name that no user has: remove the user first for a new password');
    const { text, hash } = newPassword();
    const createdAt = Math.floor(Date.now() / 1_000);
    await writeSqlUser(client, network, { name, hash, createdAt, isRemoved: false });
    printAnswer(`${text}\n`);
    printNotice(`password of ${name}: keep it, it is not shown again\n`);
    return EXIT.ok;
  });
}

async function listUsers(flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'read', async (client, network) => {
    const users = await readSqlUsers(client, network);
    const shown = users.map(({ name, createdAt }) => ({ name, created_at: createdAt }));
    const text = () =>
      `${users.map(({ name, createdAt }) => `${new Date(createdAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')}  ${name}\n`).join('')}${users.length} users\n`;
    printAnswer(flags.json ? `${JSON.stringify(shown)}\n` : text());
    return EXIT.ok;
  });
}

async function removeUser(name: string, flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'write', async (client, network) => {
    const user = (await readSqlUsers(client, network)).find((one) => one.name === name);
    if (!user) throw wrongName(name, 'a name of `tonhouse sql-users list`');
    await writeSqlUser(client, network, { ...user, isRemoved: true });
    printAnswer(`removed ${name}\n`);
    return EXIT.ok;
  });
}

function wrongName(found: string, allowed: string): SettingError {
  return new SettingError('NAME', { found, allowed, origin: 'the arguments' });
}
