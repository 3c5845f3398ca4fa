import { parseTon } from '../format/amount.ts';
import { toUtc } from '../format/time.ts';

/** Sends a command of the local chain, and shows the text that `toText` makes of its answer. */
export type Run = (command: string, request: object, toText: (answer: never) => string) => Promise<void>;

/** A form that sends a command. */
export interface Control {
  readonly title: string;
  readonly fields: readonly {
    readonly name: string;
    readonly label: string;
    readonly value: string;
    /** A field for a text that is long. */
    readonly isWide?: boolean;
  }[];
  /** Sends the command of the form. */
  send(run: Run, value: (name: string) => string): Promise<void>;
}

const ADDRESS = { name: 'address', label: 'Address', value: '', isWide: true };

export const CONTROLS: readonly Control[] = [
  {
    title: 'Send from the faucet',
    fields: [
      ADDRESS,
      { name: 'amount', label: 'TON', value: '10' },
      { name: 'comment', label: 'Comment', value: '' },
    ],
    send: (run, value) => {
      const request = {
        address: value('address'),
        amount: toNanotons(value('amount')),
        comment: value('comment'),
      };
      return run('fund', request, ({ hash }: { hash: string }) => `Sent with the message ${hash}.`);
    },
  },
  {
    title: 'Send as any account',
    fields: [
      { name: 'from', label: 'From', value: '', isWide: true },
      { name: 'to', label: 'To', value: '', isWide: true },
      { name: 'amount', label: 'TON', value: '1' },
      { name: 'comment', label: 'Comment', value: '' },
    ],
    send: (run, value) => {
      const request = {
        ...{ from: value('from'), to: value('to'), amount: toNanotons(value('amount')) },
        ...(value('comment') !== '' && { comment: value('comment') }),
      };
      return run('impersonate', request, ({ seqno }: { seqno: number }) => `Sent in block ${seqno}.`);
    },
  },
  {
    title: 'Set a balance',
    fields: [ADDRESS, { name: 'balance', label: 'TON', value: '1000' }],
    send: (run, value) =>
      run('setBalance', { address: value('address'), balance: toNanotons(value('balance')) }, inBlock),
  },
  {
    title: 'Set code and data',
    fields: [
      ADDRESS,
      { name: 'code', label: 'Code: a BoC in base64 or hex', value: '', isWide: true },
      { name: 'data', label: 'Data; empty: the data stay', value: '', isWide: true },
    ],
    send: (run, value) => {
      const data = value('data');
      const request = { address: value('address'), code: value('code'), ...(data !== '' && { data }) };
      return run('setCode', request, inBlock);
    },
  },
  {
    title: 'Make blocks',
    fields: [{ name: 'blocks', label: 'Blocks, at most 1,000', value: '1' }],
    send: (run, value) =>
      run(
        'mine',
        { blocks: Number(value('blocks')) },
        ({ seqno }: { seqno: number }) => `Made block ${seqno}.`,
      ),
  },
  {
    title: 'Move the time ahead',
    fields: [{ name: 'seconds', label: 'Seconds', value: '3600' }],
    send: (run, value) =>
      run(
        'warp',
        { seconds: Number(value('seconds')) },
        ({ utime }: { utime: number }) => `The chain is at ${toUtc(utime)} UTC.`,
      ),
  },
  {
    title: 'Generate traffic',
    fields: [{ name: 'rate', label: 'Transactions per second; 0 ends it', value: '5' }],
    send: (run, value) =>
      run(
        'traffic',
        { per_second: Number(value('rate')) },
        ({ per_second }: { per_second: number }) =>
          `The chain generates ${per_second} transactions per second.`,
      ),
  },
];

/** Nanotons; another text as it is, so that the server names it. */
function toNanotons(text: string): string {
  return parseTon(text) ?? text;
}

function inBlock({ seqno }: { readonly seqno: number }): string {
  return `Set in block ${seqno}.`;
}
