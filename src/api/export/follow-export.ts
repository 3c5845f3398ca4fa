import { setTimeout as sleep } from 'node:timers/promises';
import { type ExportSource, readHeadDate } from './export-source.ts';
import { type ExportReport, type ExportRequest, exportTable } from './export-table.ts';
import { findTable } from './exported-table.ts';

/** Pause between checks for a finished day, ms. */
const CHECK_MS = 10_000;

/**
 * Writes each day that the index has passed, until the signal aborts. `onPass` gets the result of each pass.
 * @throws ExportChoiceError for a table without days, and the errors of `exportTable`
 */
export async function followExport(
  source: ExportSource,
  request: Omit<ExportRequest, 'onlyComplete'> & {
    onPass(report: ExportReport): void;
    readonly checkMs?: number;
  },
): Promise<void> {
  const { signal, onPass, checkMs = CHECK_MS } = request;
  let passed = '';
  while (!signal.aborted) {
    const head = await readHead(source, request.table);
    if (head !== passed) {
      onPass(await exportTable(source, { ...request, onlyComplete: true }));
      passed = head;
    }
    await sleep(checkMs, undefined, { signal }).catch(() => {});
  }
}

async function readHead(source: ExportSource, name: string): Promise<string> {
  await source.refresh();
  const { client, lake, views } = source;
  return readHeadDate(source, await findTable(client, { lake, name, views }));
}
