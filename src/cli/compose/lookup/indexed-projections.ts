import { join, resolve } from 'node:path';
import type { SettingValues } from '../../../platform/config/settings.ts';
import { ALL_TABLES } from '../../../tables/all-tables.ts';
import { allLookUps } from '../../../tables/look-ups/look-ups.ts';

/** Projections with tables that have look-ups. */
export const INDEXED_PROJECTIONS = Object.entries(ALL_TABLES).flatMap(([name, { targets }]) =>
  allLookUps(targets).length > 0 ? [{ name, targets }] : [],
);

const WORDS = ['auto', 'on', 'off'];

/** Folder of the look-up index. `directory`: the data directory. */
export function getLookUpFolder(directory: string, { lookupIndex }: SettingValues<'lookupIndex'>): string {
  return WORDS.includes(lookupIndex) ? join(directory, 'lookup') : resolve(lookupIndex);
}
