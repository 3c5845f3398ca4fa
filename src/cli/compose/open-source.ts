import { stat } from 'node:fs/promises';
import { openArchive } from '../../capture/archive/archive-source.ts';
import type { BlockIdExt } from '../../capture/block-id.ts';
import { openFiles } from '../../capture/files/files-source.ts';
import { openIsolated } from '../../capture/isolated/isolated-source.ts';
import type { Source } from '../../capture/source.ts';
import type { LocalnetOptions } from '../../localnet/localnet-source.ts';
import { UsageError } from '../../platform/config/usage-error.ts';

const ALLOWED = [
  'localnet (a chain that makes its blocks itself)',
  'archive:PATH (a .pack file or a folder of them)',
  'files:PATH (a folder of block BoCs)',
  'isolated:PATH (unrelated blocks, files or packages)',
];

/** A source that cannot be opened as it was written. */
export class SourceSpecError extends UsageError {
  override readonly name = 'SourceSpecError';
  readonly spec: string;
  readonly allowed = ALLOWED;

  constructor(spec: string, problem: string, options?: ErrorOptions) {
    super(`source ${JSON.stringify(spec)}: ${problem}; allowed are ${ALLOWED.join(', ')}`, options);
    this.spec = spec;
  }
}

export interface OpenSourceOptions {
  /** Take `archive:` and `files:` as unrelated blocks too. Default false. */
  readonly isolated?: boolean;
  /** The masterchain blocks at which vert_seqno may change. Default none. */
  readonly hardForks?: readonly BlockIdExt[];
  /** How `localnet` runs; without it there is no such source. */
  readonly localnet?: LocalnetOptions;
}

const LOCALNET = 'localnet';

/**
 * Opens a source by its text, `localnet` or `KIND:PATH`.
 * @throws SourceSpecError
 */
export async function openSource(spec: string, options: OpenSourceOptions = {}): Promise<Source> {
  if (spec === LOCALNET && options.localnet) {
    // Only then: it brings the code of a whole chain.
    const { openLocalnetSource } = await import('../../localnet/localnet-source.ts');
    return openLocalnetSource(options.localnet);
  }
  const [, kind, path] = /^(archive|files|isolated):(.+)$/s.exec(spec) ?? [];
  if (!kind || !path) throw new SourceSpecError(spec, 'not of the form KIND:PATH');
  try {
    await stat(path);
    return await openPath(kind, path, options);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause && 'code' in cause)) throw cause;
    throw new SourceSpecError(spec, `${path} cannot be read (${cause.code})`, { cause });
  }
}

function openPath(kind: string, path: string, options: OpenSourceOptions): Promise<Source> {
  const hardForks = options.hardForks ?? [];
  if (kind === 'isolated' || options.isolated) return openIsolated(path);
  return kind === 'archive' ? openArchive(path, hardForks) : openFiles(path, hardForks);
}
