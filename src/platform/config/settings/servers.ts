import { age, choice, integer, optionalInteger, optionalText, pattern, text, toggle } from '../setting.ts';
import { formerly, inGroup, secret, withDetails } from '../setting-notes.ts';

/** Settings of the connection to Kafka. */
export const KAFKA = inGroup('kafka', {
  kafkaPrefix: withDetails(
    pattern('kafka-prefix', 'prefix of the topic names', {
      value: 'PREFIX',
      regex: /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/,
      allowed: 'letters, digits, dots, underscores and dashes, at most 100',
      fallback: 'tonhouse',
    }),
    'Each network needs its own prefix.',
  ),
  kafkaTls: withDetails(
    toggle('kafka-tls', 'connect to the brokers with TLS'),
    '`--kafka-ca` and `--kafka-cert` imply it.',
  ),
  kafkaCa: optionalText(
    'kafka-ca',
    'PEM file of the authority that signed the certificates of the brokers',
    'FILE',
  ),
  kafkaCert: optionalText('kafka-cert', 'PEM file of the client certificate', 'FILE'),
  kafkaKey: optionalText('kafka-key', 'PEM file of the key of the client certificate', 'FILE'),
  kafkaSasl: choice(
    'kafka-sasl',
    'SASL mechanism of the login',
    ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
    'none',
  ),
  kafkaUser: optionalText('kafka-user', 'user of the login', 'NAME'),
  kafkaPassword: withDetails(
    secret(optionalText('kafka-password', 'password of the login', 'TEXT')),
    'Other users of the machine can read a flag: use the environment or the settings file.',
  ),
});

/** Settings of the store in addition to its address. */
export const CLICKHOUSE = {
  ...inGroup('reader', {
    clickhouseReadUser: withDetails(
      optionalText('clickhouse-read-user', 'read-only user of the ClickHouse server, for answers', 'NAME'),
      'The user of `clickhouse/reader.xml`, which has no other rights.',
    ),
    clickhouseReadPassword: secret(
      optionalText('clickhouse-read-password', 'password of the read-only user', 'TEXT'),
    ),
  }),
  ...inGroup('store', {
    clickhouseCluster: withDetails(
      pattern('clickhouse-cluster', 'cluster that the ClickHouse server belongs to', {
        value: 'NAME',
        regex: /^[A-Za-z][A-Za-z0-9_-]{0,63}$/,
        allowed: 'letters, digits, underscores and dashes, at most 64, beginning with a letter',
      }),
      'Tables are replicated and distributed over its shards.',
    ),
    clickhouseMemoryMb: integer('clickhouse-memory-mb', 'memory limit of the embedded server in MB', {
      min: 512,
      max: 1_048_576,
      fallback: 4_096,
    }),
    cold: withDetails(
      optionalText(
        'cold',
        'folder or s3://BUCKET/PREFIX for old parts of tables read by block or time',
        'PLACE',
      ),
      'With `--clickhouse-url`: name of a storage policy of the server with a volume `cold`. `docs/operations.md` has the details.',
    ),
    coldAfter: withDetails(
      age('cold-after', 'age at which parts of tables move to --cold', '90d'),
      'A part moves if all its rows are older. `never` moves all parts back.',
    ),
    lakeDatabase: withDetails(
      pattern('lake-database', 'database of the views for analysts', {
        value: 'NAME',
        regex: /^[a-z][a-z0-9_]{0,39}$/,
        allowed: 'lower-case letters, digits and underscores, at most 40, beginning with a letter',
        fallback: 'ton',
      }),
      'Each network of a ClickHouse server needs its own.',
    ),
    clickhouseUnresponsiveMs: formerly(
      withDetails(
        integer(
          'clickhouse-unresponsive-ms',
          'milliseconds without an answer before the embedded server restarts',
          {
            min: 1_000,
            max: 3_600_000,
            fallback: 60_000,
          },
        ),
        'An error is an answer.',
      ),
      'clickhouse-deaf-ms',
    ),
  }),
} as const;

/** Settings of logs and metrics. */
export const OBSERVABILITY = {
  ...inGroup('logging', {
    logFormat: choice('log-format', 'plain lines, or JSON for machines', ['plain', 'json'], 'plain'),
  }),
  ...inGroup('api', {
    accessLog: withDetails(
      toggle('access-log', 'log every request'),
      'A line has the id, client, status, time and size of a request.',
    ),
  }),
  ...inGroup('metrics', {
    metricsPort: withDetails(
      optionalInteger('metrics-port', 'separate port for /metrics; 0 selects a free one', {
        min: 0,
        max: 65_535,
      }),
      'Without it, the API also answers `/metrics`, and other commands have no metrics.',
    ),
    metricsHost: text('metrics-host', 'address that --metrics-port listens on', 'ADDRESS', '127.0.0.1'),
  }),
} as const;
