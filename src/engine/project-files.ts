import { fileURLToPath } from 'node:url';

/** Root of the project: paths of files that a projection names are relative to it. */
export const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Migrations: one folder a projection, and `meta`. */
export const MIGRATIONS = fileURLToPath(new URL('../../clickhouse/', import.meta.url));
