import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePrivateDirectory, writePrivateFile } from '../../files/private-directory.ts';
import { ANALYST, analystProfileXml, analystQuotaXml, analystUserXml } from '../analyst-profile.ts';
import { READER, readerProfileXml, readerUserXml } from '../reader-profile.ts';
import { certificatesFile, writeCertificates } from './certificates.ts';
import type { ColdPlace } from './cold-place.ts';
import { HAS_DISK_FLUSH } from './disk-flush.ts';
import { storageXml } from './storage-xml.ts';

export interface ServerConfig {
  readonly directory: string;
  readonly httpPort: number;
  readonly user: string;
  readonly password: string;
  readonly readPassword: string;
  readonly analystPassword: string;
  /** Database that analysts read. */
  readonly lakeDatabase: string;
  /** Memory of the whole server, bytes; a query that would go beyond fails, the server stays. */
  readonly memoryLimitBytes: number;
  /** Processor cores, which size the background pools. */
  readonly cores: number;
  /** Place of the cold volume. Default: the server has none. */
  readonly cold?: ColdPlace | undefined;
}

const MIB = 1024 * 1024;

const escapeXml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Settings for file systems that cannot be flushed as a whole: the server syncs every part (docs/decisions/0016). */
const SYNC_PARTS = HAS_DISK_FLUSH
  ? ''
  : `
    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
    <min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>`;

/**
 * Concurrent merges and mutations: one slot for this many bytes of memory, within these bounds. A DELETE is a task for
 * each part of its table, in all partitions. A table without a free slot retries after a pause that doubles
 * (docs/decisions/0003).
 */
const TASK_BYTES = 64 * MIB;
const MIN_TASKS = 16;
const MAX_TASKS = 64;
/** Tasks of a thread by the server's own default. */
const TASKS_OF_A_THREAD = 2;
/** Free places below which merges are smaller, by the server's own default. */
const MIN_FREE = 8;

/**
 * Only requests with one of these users in `X-ClickHouse-User` reach the engine, which then refuses every other way to
 * name a user. So clients cannot log in as `default`, which has no password (docs/decisions/0015-store-users.md). With
 * `Authorization` instead, the `user` parameter of the address would win over the header.
 */
function httpHandlersXml(owner: string): string {
  return `<http_handlers>
    <rule>
      <url>/ping</url>
      <methods>GET,HEAD</methods>
      <handler><type>ping</type></handler>
    </rule>
    <rule>
      <headers><X-ClickHouse-User>regex:(${owner}|${READER}|${ANALYST})</X-ClickHouse-User></headers>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>`;
}

/** Settings of all tables. `free`: free places of the pool below which merges are smaller. */
function mergeTreeXml(free: number): string {
  return `<merge_tree>
    <!-- As many merges of any size as with the server's own number of tasks: further ones are the smaller, the more there are. -->
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>${free}</number_of_free_entries_in_pool_to_lower_max_size_of_merge>${SYNC_PARTS}
    <!-- The server starts however many parts are damaged: tonhouse reports the parts that it set aside, and writes their rows again. -->
    <max_suspicious_broken_parts>1000000000</max_suspicious_broken_parts>
    <max_suspicious_broken_parts_bytes>1000000000000000</max_suspicious_broken_parts_bytes>
  </merge_tree>`;
}

function serverXml(config: ServerConfig): string {
  const path = (...parts: string[]) => escapeXml(join(config.directory, ...parts));
  const merges = Math.max(2, Math.min(16, config.cores));
  const tasks = Math.max(MIN_TASKS, Math.min(MAX_TASKS, Math.floor(config.memoryLimitBytes / TASK_BYTES)));
  const tasksOfAThread = Math.max(TASKS_OF_A_THREAD, Math.ceil(tasks / merges));
  const free = Math.max(MIN_FREE, merges * (tasksOfAThread - TASKS_OF_A_THREAD));
  return `<clickhouse>
  <path>${path('data')}/</path>
  <tmp_path>${path('data', 'tmp')}/</tmp_path>
  <user_files_path>${path('data', 'user_files')}/</user_files_path>
  <users_config>${path('users.xml')}</users_config>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${config.httpPort}</http_port>
  <keep_alive_timeout>60</keep_alive_timeout>
  ${httpHandlersXml(config.user)}
  <openSSL>
    <client>
      <caConfig>${escapeXml(certificatesFile(config.directory))}</caConfig>
      <loadDefaultCAFile>false</loadDefaultCAFile>
      <verificationMode>strict</verificationMode>
    </client>
  </openSSL>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
    <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
  </access_control_improvements>
  <!-- system.*_log tables exist only where they are configured: none is. -->
  <logger>
    <!-- Its default, trace, costs every query more than the reading does. -->
    <level>information</level>
    <log>${path('log', 'server.log')}</log>
    <errorlog>${path('log', 'error.log')}</errorlog>
    <size>10M</size>
    <count>2</count>
    <!-- The process cannot read its own log, so it cannot compress one either. -->
    <compress>false</compress>
  </logger>
  ${mergeTreeXml(free)}${config.cold === undefined ? '' : `\n  ${storageXml(config.cold)}`}
  <max_server_memory_usage>${config.memoryLimitBytes}</max_server_memory_usage>
  <mark_cache_size>${Math.min(256 * MIB, Math.floor(config.memoryLimitBytes / 8))}</mark_cache_size>
  <uncompressed_cache_size>${Math.min(256 * MIB, Math.floor(config.memoryLimitBytes / 16))}</uncompressed_cache_size>
  <!-- Its default is 5 GB, whatever the memory limit. -->
  <index_mark_cache_size>${Math.min(64 * MIB, Math.floor(config.memoryLimitBytes / 32))}</index_mark_cache_size>
  <!-- What an idle server looks at by itself, and nobody reads: its own metrics each second, memory 20 times a second,
       changed configuration, profiles of all threads, names of hosts (docs/decisions/0028). -->
  <asynchronous_metrics_update_period_s>60</asynchronous_metrics_update_period_s>
  <memory_worker_period_ms>500</memory_worker_period_ms>
  <config_reload_interval_ms>600000</config_reload_interval_ms>
  <global_profiler_real_time_period_ns>0</global_profiler_real_time_period_ns>
  <global_profiler_cpu_time_period_ns>0</global_profiler_cpu_time_period_ns>
  <dns_cache_update_period>600</dns_cache_update_period>
  <!-- A table looks for merges and mutations when it is inserted to, and again this long after: a tenth of a second after
       a merge or a part of a mutation is done, twice as long each time that there was none, ten seconds at most. By its
       defaults an idle table would go on to look ten times a second, each as often for what streams. -->
  <background_processing_pool_thread_sleep_seconds_if_nothing_to_do>0.1</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_processing_pool_thread_sleep_seconds_random_part>0.1</background_processing_pool_thread_sleep_seconds_random_part>
  <background_processing_pool_task_sleep_seconds_when_no_work_multiplier>2</background_processing_pool_task_sleep_seconds_when_no_work_multiplier>
  <background_processing_pool_task_sleep_seconds_when_no_work_max>10</background_processing_pool_task_sleep_seconds_when_no_work_max>
  <background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>600</background_streaming_processing_pool_thread_sleep_seconds_if_nothing_to_do>
  <background_pool_size>${merges}</background_pool_size>
  <background_merges_mutations_concurrency_ratio>${tasksOfAThread}</background_merges_mutations_concurrency_ratio>
  <!-- Merges can wait, readers and writers cannot. Without effect where the process may not change it (CAP_SYS_NICE). -->
  <os_threads_nice_value_merge_mutate>5</os_threads_nice_value_merge_mutate>
  <!-- Parts that were merged away are deleted one after the other: by its default a hundred threads at once delete what came together
       over minutes, and everybody else waits for a processor meanwhile. -->
  <max_parts_cleaning_thread_pool_size>1</max_parts_cleaning_thread_pool_size>
  <background_schedule_pool_size>8</background_schedule_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
  <background_distributed_schedule_pool_size>1</background_distributed_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
</clickhouse>
`;
}

/** Share of the server's memory that all reads together may take: the writer has the rest for itself. */
const READERS_SHARE = 0.75;
/** The same of all statements of analysts. */
const ANALYSTS_SHARE = 0.5;

/**
 * The engine opens its own session as `default` without a password, from a loopback address. So that user must exist,
 * with the rights of this session. HTTP clients cannot log in as `default`: see `httpHandlersXml`.
 */
function usersXml(config: ServerConfig): string {
  const readers = {
    session_timezone: 'UTC',
    http_max_field_value_size: 16_777_216,
    use_uncompressed_cache: 1,
    max_memory_usage_for_user: Math.floor(config.memoryLimitBytes * READERS_SHARE),
  };
  return `<clickhouse>
  <profiles>
    <default>
      <async_insert>0</async_insert>
      <session_timezone>UTC</session_timezone>
      <http_max_field_value_size>16777216</http_max_field_value_size>
    </default>
${readerProfileXml(readers)}${analystProfileXml({ max_memory_usage_for_user: Math.floor(config.memoryLimitBytes * ANALYSTS_SHARE) })}  </profiles>
  <quotas>
    <default/>
${analystQuotaXml()}  </quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SYSTEM LISTEN ON *.*</query>
        <query>GRANT SELECT ON system.numbers</query>
      </grants>
    </default>
    <${config.user}>
      ${passwordXml(config.password)}
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <access_management>1</access_management>
    </${config.user}>
${readerUserXml(passwordXml(config.readPassword), '127.0.0.1')}${analystUserXml(passwordXml(config.analystPassword), '127.0.0.1', config.lakeDatabase)}  </users>
</clickhouse>
`;
}

function passwordXml(password: string): string {
  return `<password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex>`;
}

/** Paths of the main file and of the users' file. */
export function configurationFiles(directory: string): [string, string] {
  return [join(directory, 'server.xml'), join(directory, 'users.xml')];
}

/**
 * Writes the configuration once more, as new files with the same content. The fence of a running server lets it read only the files that
 * were there when it started (file-fence.ts): from now on its statements read neither.
 */
export function replaceServerConfig(directory: string): void {
  for (const file of configurationFiles(directory)) writePrivateFile(file, readFileSync(file, 'utf8'));
}

/** Writes the server's configuration into its directory and returns the path of the main file. */
export function writeServerConfig(config: ServerConfig): string {
  for (const folder of ['log', 'data']) ensurePrivateDirectory(join(config.directory, folder));
  const [file, users] = configurationFiles(config.directory);
  writePrivateFile(users, usersXml(config));
  writeCertificates(config.directory);
  writePrivateFile(file, serverXml(config));
  return file;
}
