import { useState } from 'preact/hooks';
import { changeChain, type Snapshots } from '../api/change-chain.ts';
import type { RequestError } from '../api/request.ts';
import { useLocalCommand } from '../api/use-local-command.ts';
import { Panel, Table } from '../parts/layout.tsx';
import { Failure, Notice, Shown } from '../parts/notice.tsx';

export interface LocalSnapshotsProps {
  /** Reads the list again for each other number. */
  readonly round: number;
  /** Called with what was done. */
  readonly onDone: (text: string) => void;
}

/** Stores the local chain, and puts it back. */
export function LocalSnapshots({ round, onDone }: LocalSnapshotsProps) {
  const loaded = useLocalCommand<Snapshots>('snapshots', round);
  const [isRestarting, setRestarting] = useState(false);
  const [error, setError] = useState<RequestError | null>(null);
  const change = async (command: 'snapshot' | 'revert', request: object) => {
    setRestarting(true);
    setError(null);
    try {
      const id = await changeChain(command, request);
      onDone(command === 'snapshot' ? `Stored as ${id}.` : `The chain is at ${id} again.`);
    } catch (failure) {
      setError(failure as RequestError);
    }
    setRestarting(false);
  };
  return (
    <Panel title="Snapshots">
      <p>Stores the chain with its index, and puts it back. The server restarts, which takes some seconds.</p>
      <button type="button" disabled={isRestarting} onClick={() => void change('snapshot', {})}>
        Store the chain
      </button>
      <div aria-live="polite">{isRestarting && <Notice>The server restarts…</Notice>}</div>
      {error && <Failure error={error} />}
      <Shown loaded={loaded}>
        {({ ids }) =>
          ids.length > 0 && (
            <Table
              label="Snapshots of the local chain"
              heads={['Name', 'Chain']}
              rows={ids.map((id) => ({
                key: id,
                cells: [
                  id,
                  <button
                    key="revert"
                    type="button"
                    disabled={isRestarting}
                    onClick={() => void change('revert', { id })}
                  >
                    Return to {id}
                  </button>,
                ],
              }))}
            />
          )
        }
      </Shown>
    </Panel>
  );
}
