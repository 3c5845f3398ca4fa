import type { Command } from 'commander';
import { isJsonObject, JsonTextError, parseJson } from '../../api/http/json-source.ts';
import {
  type OverrideRecord,
  readOverrides,
  removeOverride,
  writeOverride,
} from '../../api/metadata/override-records.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { addressArgument } from '../address-argument.ts';
import { CliCommand } from '../cli-command.ts';
import { withNetworkStore } from '../compose/network-store.ts';
import { EXIT } from '../exit-codes.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';
import { mintlessCommand } from './metadata-mintless.ts';

type Flags = Record<string, unknown>;

/** Every server keeps the overrides in memory. */
const MAX_CONTENT_BYTES = 65_536;

/** `tonhouse metadata override | mintless`, each with set, list and remove. */
export function metadataCommand(command: Command, exit: (code: number) => void): void {
  const set = new CliCommand('set')
    .description('set data of a token, in place of earlier data; servers use it within ten seconds')
    .argument('<ADDRESS>', 'address of a jetton master, NFT collection or item, in any form')
    .option(
      '--content <JSON>',
      'attributes as a JSON object; they take precedence over the chain and its links',
      '',
    )
    .option('--nsfw', 'mark it as not safe for work')
    .option('--scam', 'mark it as fraud')
    .action(async (address: string, flags: Flags) => exit(await setOverride(address, flags)));
  const list = new CliCommand('list')
    .description('list the data that was set, by address')
    .option('--json', 'print one JSON array')
    .action(async (flags: Flags) => exit(await listOverrides(flags)));
  const remove = new CliCommand('remove')
    .description('remove the data that was set for a token')
    .argument('<ADDRESS>', 'address of the token, in any form')
    .action(async (address: string, flags: Flags) => exit(await endOverride(address, flags)));
  const override = new CliCommand('override')
    .description('set, list or remove data of tokens')
    .exitOverride();
  const all = [set, list, remove];
  all.reduce((parent, one) => parent.addCommand(addSettings(one, STORE_SETTINGS).exitOverride()), override);
  command.addCommand(override).addCommand(mintlessCommand(exit));
}

async function setOverride(text: string, flags: Flags): Promise<number> {
  const address = addressArgument(text, 'ADDRESS');
  const content = String(flags.content);
  checkContent(content);
  const override = { address, content, isNsfw: flags.nsfw === true, isScam: flags.scam === true };
  if (content === '' && !override.isNsfw && !override.isScam)
    throw new SettingError('--content', {
      found: content,
      allowed: 'at least one of --content, --nsfw and --scam',
      origin: 'the arguments',
    });
  return withNetworkStore(flags, 'write', async (client, network) => {
    await writeOverride(client, network, override);
    printAnswer(`${printable(formatOverride(override))}\n`);
    return EXIT.ok;
  });
}

async function listOverrides(flags: Flags): Promise<number> {
  return withNetworkStore(flags, 'read', async (client, network) => {
    const overrides = await readOverrides(client, network);
    const text = () =>
      `${overrides.map((one) => `${printable(formatOverride(one))}\n`).join('')}${overrides.length} overrides\n`;
    printAnswer(flags.json ? `${JSON.stringify(overrides.map(shown))}\n` : text());
    return EXIT.ok;
  });
}

async function endOverride(text: string, flags: Flags): Promise<number> {
  const address = addressArgument(text, 'ADDRESS');
  return withNetworkStore(flags, 'write', async (client, network) => {
    if (!(await readOverrides(client, network)).some((one) => one.address === address))
      throw new SettingError('ADDRESS', {
        found: text,
        allowed: 'an address of `tonhouse metadata override list`',
        origin: 'the arguments',
      });
    await removeOverride(client, network, address);
    printAnswer(`removed ${address}\n`);
    return EXIT.ok;
  });
}

/** @throws SettingError */
function checkContent(content: string): void {
  if (content === '') return;
  const allowed = `a JSON object of at most ${MAX_CONTENT_BYTES} bytes`;
  const found = content.slice(0, 100);
  const isLong = Buffer.byteLength(content) > MAX_CONTENT_BYTES;
  if (isLong || !isObjectText(content))
    throw new SettingError('--content', { found, allowed, origin: '--content' });
}

function isObjectText(content: string): boolean {
  try {
    return isJsonObject(parseJson(content));
  } catch (error) {
    if (error instanceof JsonTextError) return false;
    throw error;
  }
}

function shown({ address, content, isNsfw, isScam }: OverrideRecord) {
  return { address, content: content === '' ? null : content, is_nsfw: isNsfw, is_scam: isScam };
}

function formatOverride({ address, content, isNsfw, isScam }: OverrideRecord): string {
  const flags = [...(isNsfw ? ['nsfw'] : []), ...(isScam ? ['scam'] : [])];
  return [address, ...flags, ...(content === '' ? [] : [content])].join('  ');
}
