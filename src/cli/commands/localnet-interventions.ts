import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { callControl } from '../../localnet/control/control-client.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { checkAddress, getChainDirectory, nanotons } from './localnet-arguments.ts';

type Flags = Record<string, unknown>;

/** First bytes of a bag of cells. */
const BOC_MAGIC = Buffer.from('b5ee9c72', 'hex');

/**
 * `tonhouse localnet set-balance`, `set-code`, `set-data`, `impersonate`. `add` makes a command, `done` prints its result.
 */
export function addInterventions(
  add: (usage: string, description: string) => Command,
  done: (line: string) => void,
): void {
  add('set-balance <ADDRESS> <AMOUNT>', 'set the balance of an account').action(
    async (address: string, amount: string, flags: Flags) => done(await setBalance(address, amount, flags)),
  );
  add('set-code <ADDRESS> <FILE>', 'set the code of an account; FILE: a BoC, or its base64 or hex')
    .option('--with-data <FILE>', 'set its data in the same transaction')
    .action(async (address: string, file: string, flags: Flags) => done(await setCode(address, file, flags)));
  add('set-data <ADDRESS> <FILE>', 'set the data of an account with code').action(
    async (address: string, file: string, flags: Flags) => done(await setData(address, file, flags)),
  );
  add('impersonate <FROM> <TO> <AMOUNT>', 'send TON and a message as any account, without its key')
    .option('--comment <TEXT>', 'comment of the message')
    .option('--body <FILE>', 'body of the message')
    .option('--init <FILE>', 'StateInit of the receiver')
    .option('--no-bounce', 'do not let the message bounce')
    .action(async (from: string, to: string, amount: string, flags: Flags) =>
      done(await impersonate({ from, to, amount }, flags)),
    );
}

async function setBalance(address: string, amount: string, flags: Flags): Promise<string> {
  const request = { address: checkAddress('ADDRESS', address), balance: `${nanotons(amount)}` };
  return inBlock(await callControl(getChainDirectory(flags), 'setBalance', request));
}

async function setCode(address: string, file: string, flags: Flags): Promise<string> {
  const { withData } = flags;
  const request = {
    address: checkAddress('ADDRESS', address),
    code: readBag('FILE', file),
    ...(withData !== undefined && { data: readBag('--with-data', String(withData)) }),
  };
  return inBlock(await callControl(getChainDirectory(flags), 'setCode', request));
}

async function setData(address: string, file: string, flags: Flags): Promise<string> {
  const request = { address: checkAddress('ADDRESS', address), data: readBag('FILE', file) };
  return inBlock(await callControl(getChainDirectory(flags), 'setData', request));
}

async function impersonate(
  { from, to, amount }: { readonly from: string; readonly to: string; readonly amount: string },
  flags: Flags,
): Promise<string> {
  const { comment, body, init, bounce } = flags;
  const answer = await callControl(getChainDirectory(flags), 'impersonate', {
    from: checkAddress('FROM', from),
    to: checkAddress('TO', to),
    amount: `${nanotons(amount)}`,
    bounce: bounce !== false,
    ...(comment !== undefined && { comment: String(comment) }),
    ...(body !== undefined && { body: readBag('--body', String(body)) }),
    ...(init !== undefined && { init: readBag('--init', String(init)) }),
  });
  return `sent ${amount} TON in ${inBlock(answer)}, message ${answer.hash}`;
}

function inBlock({ seqno }: { readonly seqno: number }): string {
  return `masterchain block ${seqno}`;
}

/** The BoC of a file, as base64 or as the text in it. */
function readBag(name: string, file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new SettingError(name, {
      found: `${file} (${(error as Error).message})`,
      allowed: 'a file that can be read',
      origin: 'command line',
    });
  }
  return bytes.subarray(0, 4).equals(BOC_MAGIC) ? bytes.toString('base64') : bytes.toString('utf8').trim();
}
