import { fileURLToPath } from 'node:url';

/** Folder of the schemas. */
export const SCHEMAS: string = fileURLToPath(new URL('../../../schemas/', import.meta.url));
