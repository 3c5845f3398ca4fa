import type { Command } from 'commander';
import { callControl } from '../../localnet/control/control-client.ts';
import { listAccounts } from '../../localnet/genesis/account-list.ts';
import { genesisWallets } from '../../localnet/genesis/genesis-wallets.ts';
import { LOCALNET_GLOBAL_ID } from '../../localnet/localnet-source.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { EXIT } from '../exit-codes.ts';
import { addSettings } from '../setting-options.ts';
import { checkAddress, count, getChainDirectory, nanotons } from './localnet-arguments.ts';
import { addInterventions } from './localnet-interventions.ts';
import { addSnapshots } from './localnet-snapshots.ts';

type Flags = Record<string, unknown>;

/** `tonhouse localnet …`: controls the local chain of a data directory. */
export function localnetCommand(command: Command, exit: (code: number) => void): void {
  const add = (usage: string, description: string) =>
    addSettings(command.command(usage).description(description).exitOverride(), ['data']);
  const done = (line: string) => {
    printAnswer(`${line}\n`);
    exit(EXIT.ok);
  };
  add('fund <ADDRESS> <AMOUNT>', 'send TON from the faucet')
    .option('--comment <TEXT>', 'comment of the transfer', '')
    .action(async (address: string, amount: string, flags: Flags) =>
      done(await fund(address, amount, flags)),
    );
  addSettings(
    command
      .command('accounts')
      .description('print the wallets of a seed with their keys; no chain needs to run')
      .exitOverride(),
    ['localnetSeed'],
  )
    .option('--json', 'print JSON')
    .action((flags: Flags) => done(accounts(flags)));
  addInterventions(add, done);
  addSnapshots(add, done);
  add('mine [N]', 'make N blocks at once (default 1)').action(
    async (blocks: string | undefined, flags: Flags) => done(await mine(blocks ?? '1', flags)),
  );
  add('traffic <N>', 'generate N transactions per second from now on; 0 ends it').action(
    async (rate: string, flags: Flags) => done(await setTraffic(rate, flags)),
  );
  add('warp <SECONDS>', 'move the time of the chain ahead, and make a block').action(
    async (seconds: string, flags: Flags) => done(await warp(seconds, flags)),
  );
}

function accounts(flags: Flags): string {
  const { localnetSeed } = resolveSettings(['localnetSeed'], flags);
  const list = listAccounts(genesisWallets(localnetSeed, LOCALNET_GLOBAL_ID));
  if (flags.json) return JSON.stringify(list, null, 2);
  return list.map(({ name, address, secretKey }) => `${name} ${address} ${secretKey}`).join('\n');
}

async function fund(address: string, amount: string, flags: Flags): Promise<string> {
  const { hash } = await callControl(getChainDirectory(flags), 'fund', {
    address: checkAddress('ADDRESS', address),
    amount: `${nanotons(amount)}`,
    comment: String(flags.comment),
  });
  return `sent ${amount} TON, message ${hash}`;
}

async function mine(blocks: string, flags: Flags): Promise<string> {
  const { seqno } = await callControl(getChainDirectory(flags), 'mine', { blocks: count('N', blocks) });
  return `masterchain block ${seqno}`;
}

async function warp(seconds: string, flags: Flags): Promise<string> {
  const { seqno, utime } = await callControl(getChainDirectory(flags), 'warp', {
    seconds: count('SECONDS', seconds),
  });
  return `masterchain block ${seqno} at ${new Date(utime * 1000).toISOString()} (${utime})`;
}

async function setTraffic(rate: string, flags: Flags): Promise<string> {
  const { per_second } = await callControl(getChainDirectory(flags), 'traffic', {
    per_second: rate === '0' ? 0 : count('N', rate),
  });
  return `${per_second} transactions per second`;
}
