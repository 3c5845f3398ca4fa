import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** TEST_DATA names another folder, such as an empty one to run the tests as somebody without the data. */
const folder = resolve(process.env.TEST_DATA ?? join(import.meta.dirname, '../../../shared/data'));
const isThere = existsSync(folder) && readdirSync(folder).length > 0;

/** The folder of real chain data next to the checkout, or null if it is absent. */
export const sharedData: string | null = isThere ? folder : null;
