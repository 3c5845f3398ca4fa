import { type ArchiveOptions, openArchive } from '../../capture/archive/archive-source.ts';
import type { FollowOptions } from '../../capture/archive/growing-shelf.ts';
import type { BlockIdExt } from '../../capture/block-id.ts';
import type { BlockRange } from '../../capture/block-range.ts';
import { openFiles } from '../../capture/files/files-source.ts';
import { openIsolated } from '../../capture/isolated/isolated-source.ts';
import { archiveThenLive } from '../../capture/liteserver/archive-then-live.ts';
import { LITESERVER, type LiveSettings, openLiveSource } from '../../capture/liteserver/live-settings.ts';
import type { Source } from '../../capture/source.ts';
import type { LocalnetOptions } from '../../localnet/localnet-source.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { NotRegularFileError } from '../../platform/files/file-errors.ts';
import { errorCode, type FileReading } from '../../platform/files/list-files.ts';
import type { Log } from '../../platform/observability/log.ts';

type OpenPath = (
  path: string,
  hardForks: readonly BlockIdExt[],
  reading: FileReading,
  options: ArchiveOptions,
) => Promise<Source>;

/** Sources that read files, by kind: the text of such a source is `KIND:PATH`. */
const FILE_SOURCES: ReadonlyMap<string, { readonly reads: string; readonly open: OpenPath }> = new Map([
  ['archive', { reads: 'a .pack file or a folder of them', open: openArchive }],
  ['files', { reads: 'a folder of block BoCs', open: openFiles }],
  [
    'isolated',
    {
      reads: 'unrelated blocks, files or packages',
      open: (path, _forks, reading) => openIsolated(path, reading),
    },
  ],
]);

const LOCALNET = 'localnet';

const THEN_LIVE = `,${LITESERVER}`;

const ALLOWED = [
  `${LOCALNET} (a chain that makes its blocks itself)`,
  `${LITESERVER} (a live network)`,
  `archive:PATH,${LITESERVER} (packages, then the live network)`,
  ...[...FILE_SOURCES].map(([kind, { reads }]) => `${kind}:PATH (${reads})`),
];

/** A source that cannot be opened. */
export class SourceSpecError extends UsageError {
  readonly spec: string;
  readonly allowed = ALLOWED;

  constructor(spec: string, problem: string, options?: ErrorOptions) {
    super(`source ${JSON.stringify(spec)}: ${problem}; allowed are ${ALLOWED.join(', ')}`, options);
    this.spec = spec;
  }
}

/** What a live network needs: its settings, the data directory, and a log of its servers' problems. */
interface LiveOptions {
  readonly settings: LiveSettings;
  readonly directory: string;
  readonly log: Log;
}

export interface OpenSourceOptions {
  /** Take `archive:` and `files:` as unrelated blocks too. Default false. */
  readonly isolated?: boolean;
  /** The masterchain blocks at which vert_seqno may change. Default none. */
  readonly hardForks?: readonly BlockIdExt[];
  /** Options of `localnet`; without them there is no such source. */
  readonly localnet?: LocalnetOptions;
  /** Options of `liteserver`; without them there is no such source. */
  readonly live?: LiveOptions;
  /** Follow packages that a node is still writing. Default: a source of files ends. */
  readonly follow?: FollowOptions | undefined;
  /** Take only these blocks of packages. Default: all. */
  readonly range?: BlockRange | null;
  /** How files are read: what ends the reading, and who hears of what is skipped. */
  readonly reading?: FileReading;
}

/**
 * Opens a source by its text: `localnet`, `liteserver`, `KIND:PATH` or `archive:PATH,liteserver`.
 * @throws SourceSpecError
 */
export async function openSource(spec: string, options: OpenSourceOptions = {}): Promise<Source> {
  if (options.follow) checkFollowed(spec, options);
  if (options.range) checkRanged(spec, options);
  if (spec === LOCALNET && options.localnet) {
    // Only then: it brings the code of a whole chain.
    const { openLocalnetSource } = await import('../../localnet/localnet-source.ts');
    return openLocalnetSource(options.localnet);
  }
  if (options.live && spec === LITESERVER) return await openLiveSource(options.live.settings, options.live);
  const packs = spec.endsWith(THEN_LIVE) ? spec.slice(0, -THEN_LIVE.length) : null;
  if (options.live && packs?.startsWith('archive:')) {
    const live = await openLiveSource(options.live.settings, options.live);
    return archiveThenLive(await openSource(packs, options), live);
  }
  const [, kind = '', path] = /^([a-z]+):(.+)$/s.exec(spec) ?? [];
  const source = FILE_SOURCES.get(kind);
  if (!source || !path) throw new SourceSpecError(spec, 'not of the form KIND:PATH');
  try {
    const { isolated, hardForks = [], reading = {} } = options;
    return await (isolated ? openIsolated(path, reading) : source.open(path, hardForks, reading, options));
  } catch (cause) {
    if (cause instanceof NotRegularFileError) throw new SourceSpecError(spec, cause.message, { cause });
    const code = errorCode(cause);
    if (code === null) throw cause;
    throw new SourceSpecError(spec, `${path} cannot be read (${code})`, { cause });
  }
}

/** True if the source of this text has no end, so that a stop is its ordinary end. */
export function isEndless(spec: string, follow: boolean): boolean {
  return follow || spec === LOCALNET || spec === LITESERVER || spec.endsWith(THEN_LIVE);
}

/** @throws SourceSpecError: the source has no ranges */
function checkRanged(spec: string, { isolated, follow }: OpenSourceOptions): void {
  if (isolated || follow || !isRanged(spec))
    throw new SourceSpecError(spec, '--to needs archive:PATH, without --isolated and --follow');
}

/** True if `--from` and `--to` choose blocks of this source: it has packages only. */
export function isRanged(spec: string): boolean {
  return spec.startsWith('archive:') && !spec.endsWith(THEN_LIVE);
}

/** @throws SourceSpecError: the source is no archive whose packages may grow */
function checkFollowed(spec: string, { isolated }: OpenSourceOptions): void {
  if (isolated) throw new SourceSpecError(spec, '--follow needs a chain, not unrelated blocks');
  if (!spec.startsWith('archive:') || spec.endsWith(THEN_LIVE))
    throw new SourceSpecError(
      spec,
      '--follow needs archive:PATH; localnet and liteserver are always followed',
    );
}
