import { useState } from 'preact/hooks';
import { postJson, type RequestError } from '../api/request.ts';
import { useLocalCommand } from '../api/use-local-command.ts';
import { groupDigits, parseTon } from '../format/amount.ts';
import { toUtc } from '../format/time.ts';
import { Panel, Table } from '../parts/layout.tsx';
import { Failure, Notice, Shown } from '../parts/notice.tsx';
import { Address, Copy } from '../parts/text.tsx';

interface Accounts {
  readonly accounts: readonly {
    readonly name: string;
    readonly version: string;
    readonly address: string;
    readonly secretKey: string;
  }[];
}

interface Status {
  readonly seqno: number;
  readonly utime: number;
  readonly traffic: number;
}

/** Controls of a local chain: `#/localnet`. */
export function LocalChainView() {
  const [done, setDone] = useState('');
  const [error, setError] = useState<RequestError | null>(null);
  const [round, setRound] = useState(0);
  const status = useLocalCommand<Status>('status', round);
  const run = async (command: string, request: object, toText: (answer: never) => string) => {
    try {
      setDone(toText(await postJson<never>(`/localnet/${command}`, request)));
      setError(null);
    } catch (failure) {
      setDone('');
      setError(failure as RequestError);
    }
    setRound((before) => before + 1);
  };
  return (
    <>
      <h1>Local chain</h1>
      <Shown loaded={status}>
        {({ seqno, utime, traffic }) => (
          <ul class="figures">
            <li>
              <span class="value">{groupDigits(seqno)}</span>
              <span class="name">Masterchain block</span>
            </li>
            <li>
              <span class="value">{toUtc(utime)}</span>
              <span class="name">Time of the chain, UTC</span>
            </li>
            <li>
              <span class="value">{traffic}</span>
              <span class="name">Generated transactions per second</span>
            </li>
          </ul>
        )}
      </Shown>
      <div aria-live="polite">{done !== '' && <p class="notice good">{done}</p>}</div>
      {error && <Failure error={error} />}
      <Controls run={run} />
      <Wallets />
      <Notice>
        To store the chain and return to it later, use <code>snapshot</code> and <code>revert</code> of
        tonhouse/testing, or copy the data directory while the chain is stopped.
      </Notice>
    </>
  );
}

type Run = (command: string, request: object, toText: (answer: never) => string) => Promise<void>;

interface Control {
  readonly title: string;
  readonly fields: readonly { readonly name: string; readonly label: string; readonly value: string }[];
  /** Sends the command of the form. */
  send(run: Run, value: (name: string) => string): Promise<void>;
}

const CONTROLS: readonly Control[] = [
  {
    title: 'Send from the faucet',
    fields: [
      { name: 'address', label: 'Address', value: '' },
      { name: 'amount', label: 'TON', value: '10' },
      { name: 'comment', label: 'Comment', value: '' },
    ],
    send: (run, value) => {
      const request = {
        address: value('address'),
        amount: parseTon(value('amount')) ?? value('amount'),
        comment: value('comment'),
      };
      return run('fund', request, ({ hash }: { hash: string }) => `Sent with the message ${hash}.`);
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

function Controls({ run }: { readonly run: Run }) {
  return (
    <div class="columns">
      {CONTROLS.map(({ title, fields, send }) => (
        <Panel key={title} title={title}>
          <form
            class="ask"
            onSubmit={(event: SubmitEvent) => {
              event.preventDefault();
              const form = new FormData(event.currentTarget as HTMLFormElement);
              void send(run, (name) => String(form.get(name) ?? '').trim());
            }}
          >
            {fields.map(({ name, label, value }) => (
              <label key={name} class={name === 'address' ? 'wide' : ''}>
                {label}
                <input type="text" name={name} defaultValue={value} autocomplete="off" spellcheck={false} />
              </label>
            ))}
            <button type="submit">{title}</button>
          </form>
        </Panel>
      ))}
    </div>
  );
}

function Wallets() {
  const loaded = useLocalCommand<Accounts>('accounts', 0);
  return (
    <Panel title="Wallets">
      <Shown loaded={loaded}>
        {({ accounts }) => (
          <Table
            label="Wallets of the local chain"
            heads={['Name', 'Version', 'Address', 'Secret key']}
            rows={accounts.map(({ name, version, address, secretKey }) => ({
              key: name,
              cells: [
                name,
                version,
                <Address key="address" address={address} />,
                <span key="key">
                  {secretKey.slice(0, 8)}…<Copy text={secretKey} what={`secret key of ${name}`} />
                </span>,
              ],
            }))}
          />
        )}
      </Shown>
    </Panel>
  );
}
