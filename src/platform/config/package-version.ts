import { readFileSync } from 'node:fs';

/** The version of tonhouse, from package.json: `--version` and the OpenAPI documents show it. */
export const PACKAGE_VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;
