import { namesIn } from '../platform/config/settings.ts';

/** Settings of every command that opens the log: its location and log output. */
export const LOG_SETTINGS = namesIn('data', 'kafka', 'logging', 's3', 'raw');

/** Settings of every command that opens the log and the store. */
export const STORE_SETTINGS = [...LOG_SETTINGS, ...namesIn('store', 'rules')];

/** Address of the metrics of a long-running command. */
export const METRICS_SETTINGS = namesIn('metrics');

/** Settings of the API. */
export const SERVE_SETTINGS = namesIn('api', 'limits', 'serve', 'tokens', 'metrics', 'reader');

/** Settings of the local chain. */
export const LOCALNET_SETTINGS = namesIn('genesis', 'localnet');

/** Settings of a new log in addition to its source; an existing log is compared with them. */
export const START_SETTINGS = namesIn('start', 'live');

/** Settings of the stage `decode`. */
export const DECODE_SETTINGS = namesIn('projections', 'decoder');

/** Settings of commands that decode stored blocks again. */
export const REPLAY_SETTINGS = [...STORE_SETTINGS, ...namesIn('decoder')];

/** Settings of an indexing run in addition to its source. */
export const INDEX_SETTINGS = [...STORE_SETTINGS, ...START_SETTINGS, ...DECODE_SETTINGS, ...namesIn('index')];

/** Settings of a load of history, which ends. */
export const BULK_SETTINGS = namesIn('bulk');

/** Settings of an export: of a process that reads the views for analysts and may write to S3. */
export const EXPORT_SETTINGS = [...STORE_SETTINGS, ...namesIn('reader')];
