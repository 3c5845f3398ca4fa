import { UnreadableLogError } from '../../log/errors.ts';
import type { SealingBus } from '../../log/port.ts';
import type { StoreClient } from '../../platform/clickhouse/client.ts';
import { copyColdEpochs, readColdEpochs } from '../cold/cold-epochs.ts';
import type { EngineParts } from '../engine-parts.ts';
import { lostColdBlocks } from '../verify/cold-blocks.ts';
import { JoinRefusedError, type RangeIndex } from './joined-range.ts';

type Parts = Pick<EngineParts, 'identity' | 'projection'>;

/**
 * Checks that the log can take the sealed files of a range, that they are there, and that they have every block which the range's store
 * lacks.
 * @throws JoinRefusedError
 */
export async function checkSealed(
  { identity, projection }: Parts,
  {
    range,
    from: { client, database },
    sealing,
  }: {
    readonly range: RangeIndex;
    readonly from: { readonly client: StoreClient; readonly database: string };
    readonly sealing: SealingBus | null;
  },
  signal: AbortSignal,
): Promise<void> {
  const cold = await readColdEpochs(client, identity);
  if (!sealing && cold.length > 0)
    throw new JoinRefusedError(
      range.name,
      `raw blocks of ${cold.length} epochs are only in its sealed files, and a log on Kafka has none: index the range without --hot-epochs`,
    );
  const gone = sealing && range.sealed.find(({ folder }) => folder === null);
  if (gone)
    throw new JoinRefusedError(
      range.name,
      `the sealed file ${gone.path} is missing, or is a link to a file that is: copy it from the machine of the range, which can take moved files back by \`tonhouse raw move --to log\``,
    );
  const parts = { bus: range.bus, client, identity, projection };
  for await (const { reason } of lostColdBlocks(parts, database, signal))
    throw new JoinRefusedError(range.name, `${reason}. ${repair(range)}`);
}

/**
 * Takes the sealed files of a range along, and records its cold epochs. Files that the log has already are left out. Returns the
 * number of the others.
 * @throws JoinRefusedError: a file is damaged
 */
export async function joinSealedFiles(
  { identity }: Parts,
  {
    range,
    into,
    sealing,
  }: {
    readonly range: RangeIndex;
    readonly into: { readonly client: StoreClient };
    readonly sealing: SealingBus;
  },
  {
    signal,
    onFiles,
  }: { readonly signal: AbortSignal; onFiles(done: number, total: number, name: string): void },
): Promise<number> {
  let [done, joined] = [0, 0];
  for (const { path } of range.sealed) {
    signal.throwIfAborted();
    if (await joinFile(range, sealing, path)) joined++;
    onFiles(++done, range.sealed.length, range.name);
  }
  // Readers look for blocks of cold epochs in the files: these come first.
  await copyColdEpochs(range.client, into.client, identity);
  return joined;
}

async function joinFile(range: RangeIndex, sealing: SealingBus, path: string): Promise<boolean> {
  try {
    return (await sealing.joinSealed(path)) !== null;
  } catch (error) {
    if (!(error instanceof UnreadableLogError)) throw error;
    throw new JoinRefusedError(range.name, `${error.message}. ${repair(range)}`);
  }
}

const repair = ({ name }: RangeIndex): string =>
  `Copy the file again, or repair the range: \`tonhouse verify --repair --data ${name}\``;
