import { readFile } from 'node:fs/promises';
import type { SettingsIn, SettingValues } from '../../platform/config/settings.ts';
import type { Log } from '../../platform/observability/log.ts';
import { GlobalConfigError, parseGlobalConfig } from './global-config.ts';
import { type LiveSource, openLiteServer } from './liteserver-source.ts';
import { parseStartPoint, parseTrustedBlock } from './start-point.ts';

export type LiveSettings = SettingsIn<'live'> & Partial<SettingValues<'from'>>;

/** Text of the source, alone or after `archive:PATH,`. */
export const LITESERVER = 'liteserver';

/** Opens the source as the settings say. @throws UsageError: a setting or the configuration cannot be used */
export async function openLiveSource(
  settings: LiveSettings,
  parts: { readonly directory: string; readonly log: Log },
): Promise<LiveSource> {
  const { globalConfig, trust, trustedBlock, from = 'now' } = settings;
  if (globalConfig === undefined)
    throw new GlobalConfigError('--global-config', 'the source liteserver needs this file');
  return openLiteServer({
    ...parts,
    trust,
    from: parseStartPoint(from),
    trustedBlock: trustedBlock === undefined ? null : parseTrustedBlock(trustedBlock),
    config: parseGlobalConfig(await readGlobalConfig(globalConfig), globalConfig),
  });
}

/** Reads the text of `--global-config`. @throws GlobalConfigError */
export async function readGlobalConfig(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new GlobalConfigError(file, (cause as Error).message, { cause });
  }
}

/** The live source in a source; null if it follows no network. */
export function getLive(source: object | undefined): LiveSource | null {
  return source && 'pool' in source ? (source as LiveSource) : null;
}
