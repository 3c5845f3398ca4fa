import { useState } from 'preact/hooks';
import { postJson, type RequestError } from '../api/request.ts';
import { useLocalCommand } from '../api/use-local-command.ts';
import { groupDigits } from '../format/amount.ts';
import { toUtc } from '../format/time.ts';
import { Panel, Table } from '../parts/layout.tsx';
import { Failure, Shown } from '../parts/notice.tsx';
import { Address, Copy } from '../parts/text.tsx';
import { CONTROLS, type Run } from './local-controls.ts';
import { LocalSnapshots } from './local-snapshots.tsx';

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
  const run: Run = async (command, request, toText) => {
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
      <LocalSnapshots
        round={round}
        onDone={(text) => {
          setDone(text);
          setError(null);
          setRound((before) => before + 1);
        }}
      />
      <Wallets />
    </>
  );
}

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
            {fields.map(({ name, label, value, isWide = false }) => (
              <label key={name} class={isWide ? 'wide' : ''}>
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
