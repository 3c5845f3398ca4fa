/** Writes clickhouse/reader.xml from the reader's profile: `node scripts/generate-reader-xml.ts`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readerFileXml } from '../src/platform/clickhouse/reader-profile.ts';

writeFileSync(fileURLToPath(new URL('../clickhouse/reader.xml', import.meta.url)), readerFileXml());
