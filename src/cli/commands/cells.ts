import { type Command, Option } from 'commander';
import { PROJECTIONS } from '../../../pipelines/projections.ts';
import { CellsOfFolder } from '../../capture/files/cells-of-folder.ts';
import { LITESERVER } from '../../capture/liteserver/live-settings.ts';
import { prepareBegun } from '../../engine/versions/begun-projections.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { namesIn } from '../../platform/config/settings.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { type FetchedCells, fetchCells } from '../../projections/contracts/cells/fetch-cells.ts';
import {
  countMissing,
  listMissing,
  type MissingCells,
} from '../../projections/contracts/cells/missing-cells.ts';
import type { StateOutlet } from '../../projections/contracts/cells/state-outlet.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { fileReading } from '../compose/file-reading.ts';
import { type LackingIndex, type NoCells, openCellStore, outletOfServers } from '../compose/live-cells.ts';
import { openReadStore, openSessionStore } from '../compose/store.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession, type Session } from '../session.ts';
import { STORE_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

type Flags = Record<string, unknown>;

const CELLS_SETTINGS = [...STORE_SETTINGS, ...namesIn('live')];

const SHOWN = 10;
const MAX_LISTED = 100_000;
const FIRST = '00'.repeat(32);

/** Why an index knows of no cells. */
const NO_CELLS = {
  isolated:
    'an index of unrelated blocks (--isolated) has only the projection base; cells are tracked by contracts',
  off: 'cells are tracked by the projection contracts, which this index does not have: name it in --projections of `index` or `up`',
  outdated:
    'the projection contracts was made by an earlier release, which tracked no cells: `tonhouse replay contracts`',
} as const satisfies Record<NoCells, string>;

/** The index has no version of `contracts` that knows of cells. */
class NoCellsError extends UsageError {
  constructor(why: NoCells) {
    super(NO_CELLS[why]);
  }
}

/** `tonhouse cells`: names the cells of states that no block of the index shows; with `--from` fetches them. */
export function cellsCommand(command: Command, exit: (code: number) => void): void {
  command
    .option('--json', `print one JSON object, with at most ${MAX_LISTED} hashes`)
    .addOption(
      new Option(
        '--from <PATH>',
        'read the missing cells from a folder of states, accounts and cells (BoC), or from liteserver',
      ),
    )
    .action(async (flags: Flags) => exit(await cells(flags)));
  addSettings(command, CELLS_SETTINGS);
}

async function cells(flags: Flags): Promise<number> {
  const settings = resolveSettings(CELLS_SETTINGS, flags);
  return runSession(flags, async (session) => {
    const log = await openLog(settings.data, session, settings);
    const identity = await requireIdentity(log);
    const openStore = flags.from === undefined ? openReadStore : openSessionStore;
    const client = await openStore(log.directory, settings, session);
    if (flags.from !== undefined) await prepareBegun(client, identity, PROJECTIONS);
    const store = await openCellStore(client, identity);
    if (typeof store === 'string') throw new NoCellsError(store);
    const taken =
      flags.from === undefined
        ? null
        : await fetchCells(
            store,
            await openOutlet(String(flags.from), { store, settings, data: log.directory }, session),
          );
    const missing = await countMissing(store);
    const hashes = await listMissing(store, FIRST, flags.json ? MAX_LISTED : SHOWN);
    const report = { ...missing, ...taken, hashes };
    printAnswer(flags.json ? `${JSON.stringify(report)}\n` : cellsText(report));
    return taken && taken.refused.length > 0 ? EXIT.failed : EXIT.ok;
  });
}

/** `--from`: lite servers, or a folder. */
async function openOutlet(from: string, index: LackingIndex, session: Session): Promise<StateOutlet> {
  if (from === LITESERVER) return await outletOfServers(index, session);
  return new CellsOfFolder(from, fileReading(session));
}

type CellsReport = MissingCells & { hashes: readonly string[] } & Partial<FetchedCells>;

function cellsText({ cells, accounts, libraries, hashes, fetched, refused = [] }: CellsReport): string {
  return [
    ...(fetched === undefined ? [] : [`${fetched} cells fetched`]),
    ...refused
      .slice(0, SHOWN)
      .map(({ hash, origin, reason }) => printable(`refused: ${hash} of ${origin}: ${reason}`)),
    `${cells} cells are missing, of states of ${accounts} accounts; ${libraries} of them are libraries`,
    ...hashes.map((hash) => `  ${hash}`),
    ...(cells > hashes.length ? [`  … and ${cells - hashes.length} more (--json lists them)`] : []),
    '',
  ].join('\n');
}
