import { type Command, Option } from 'commander';
import {
  type MintlessMaster,
  readMintlessMasters,
  removeMintless,
  writeClaimLinks,
} from '../../api/metadata/mintless-records.ts';
import { writeMintlessFile } from '../../api/metadata/write-mintless-file.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { addressArgument } from '../address-argument.ts';
import { CliCommand } from '../cli-command.ts';
import { withNetworkStore } from '../compose/network-store.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

/** `tonhouse metadata mintless set | list | remove`. */
export function mintlessCommand(exit: (code: number) => void): Command {
  const set = new CliCommand('set')
    .description('set the claims of a mintless jetton, in place of earlier ones; servers use them at once')
    .argument('<MASTER>', 'address of the jetton master, in any form')
    .addOption(
      new Option('--claim-at <URI>', 'address of the claim payloads for wallets [repeatable; replaces all]')
        .argParser((uri: string, before: readonly string[] = []) => [...before, checkedLink(uri)])
        .default([], 'none'),
    )
    .option(
      '--amounts <FILE>',
      'lines OWNER,AMOUNT[,START[,END]] in base units and Unix seconds; amount 0 removes an owner',
      '',
    )
    .action(async (master: string, flags: Flags) => exit(await setMintless(master, flags)));
  const list = new CliCommand('list')
    .description('list mintless jettons by address, with their numbers of owners')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listMintless(flags)));
  const remove = new CliCommand('remove')
    .description('remove the claims of a mintless jetton')
    .argument('<MASTER>', 'address of the jetton master, in any form')
    .action(async (master: string, flags: Flags) => exit(await endMintless(master, flags)));
  const command = new CliCommand('mintless')
    .description('set, list or remove claims of mintless jettons')
    .exitOverride();
  const all = [set, list, remove];
  return all.reduce(
    (parent, one) => parent.addCommand(addSettings(one, STORE_SETTINGS).exitOverride()),
    command,
  );
}

async function setMintless(text: string, flags: Flags): Promise<number> {
  const address = addressArgument(text, 'MASTER');
  const apiUris = flags.claimAt as readonly string[];
  const file = String(flags.amounts);
  if (apiUris.length === 0 && file === '')
    throw new SettingError('--amounts', {
      found: file,
      allowed: 'at least one of --claim-at and --amounts',
      origin: 'the arguments',
    });
  return withNetworkStore(flags, 'write', async (client, network, signal) => {
    const owners =
      file === '' ? 0 : await writeMintlessFile(client, network, address, { path: file, signal });
    if (apiUris.length > 0) await writeClaimLinks(client, network, { address, apiUris });
    printAnswer(`${printable(formatMaster({ address, owners, apiUris }))}\n`);
    return EXIT.ok;
  });
}

async function listMintless(flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'read', async (client, network) => {
    const masters = await readMintlessMasters(client, network);
    const text = () =>
      `${masters.map((one) => `${printable(formatMaster(one))}\n`).join('')}${masters.length} mintless jettons\n`;
    printAnswer(flags.json ? `${JSON.stringify(masters.map(shown))}\n` : text());
    return EXIT.ok;
  });
}

async function endMintless(text: string, flags: Flags): Promise<number> {
  const address = addressArgument(text, 'MASTER');
  return withNetworkStore(flags, 'write', async (client, network) => {
    if (!(await readMintlessMasters(client, network)).some((one) => one.address === address))
      throw new SettingError('MASTER', {
        found: text,
        allowed: 'an address of `tonhouse metadata mintless list`',
        origin: 'the arguments',
      });
    await removeMintless(client, network, address);
    printAnswer(`removed ${address}\n`);
    return EXIT.ok;
  });
}

/** @throws SettingError */
function checkedLink(uri: string): string {
  if (['http:', 'https:'].includes(URL.parse(uri)?.protocol ?? '')) return uri;
  throw new SettingError('--claim-at', {
    found: uri.slice(0, 100),
    allowed: 'a link that begins with http:// or https://',
    origin: '--claim-at',
  });
}

function shown({ address, owners, apiUris }: MintlessMaster) {
  return { address, owners, custom_payload_api_uri: apiUris };
}

function formatMaster({ address, owners, apiUris }: MintlessMaster): string {
  return [address, `${owners} owners`, ...apiUris].join('  ');
}
