/** The process of the engine. It returns when the query that keeps it running is cancelled. */
import { loadLibrary, runCommandLine } from '../../../src/platform/clickhouse/embedded/library.ts';
import { KEEP_ALIVE_QUERY } from '../../../src/platform/clickhouse/embedded/server-constants.ts';

loadLibrary();
runCommandLine([
  '--config-file=/etc/clickhouse-server/config.xml',
  '--path=/var/lib/clickhouse/',
  '--log-level=warning',
  '--query',
  `SYSTEM START LISTEN HTTP; SYSTEM START LISTEN TCP; ${KEEP_ALIVE_QUERY}`,
]);
process.exit(0);
