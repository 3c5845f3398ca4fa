import { integer, optionalText, pattern } from '../setting.ts';
import { inGroup, secret, withDetails } from '../setting-notes.ts';

/** Address and login of an S3 store. Their second variables are those of AWS's own tools. */
const STORE = inGroup('s3', {
  s3Endpoint: withDetails(
    {
      ...pattern('s3-endpoint', 'address of a store that speaks S3; default: Amazon S3', {
        value: 'URL',
        regex: /^https?:\/\/[^\s/@?#]+\/?$/,
        allowed: 'http(s)://host[:port]',
      }),
      alias: 'AWS_ENDPOINT_URL',
    },
    'For exports, ClickHouse connects to it; for sealed files, tonhouse does.',
  ),
  s3Region: {
    ...pattern('s3-region', 'region of the bucket', {
      value: 'NAME',
      regex: /^[a-z0-9-]{1,40}$/,
      allowed: 'lower-case letters, digits and dashes',
      fallback: 'us-east-1',
    }),
    alias: 'AWS_REGION',
  },
  s3AccessKey: {
    ...optionalText('s3-access-key', 'id of the access key', 'ID'),
    alias: 'AWS_ACCESS_KEY_ID',
  },
  s3SecretKey: withDetails(
    secret({
      ...optionalText('s3-secret-key', 'secret of the access key', 'TEXT'),
      alias: 'AWS_SECRET_ACCESS_KEY',
    }),
    'Other users of the machine can read a flag: use the environment or the settings file.',
  ),
  s3SessionToken: secret({
    ...optionalText('s3-session-token', 'token of a temporary access key', 'TEXT'),
    alias: 'AWS_SESSION_TOKEN',
  }),
});

/** Settings of S3. */
export const OBJECT_STORE = {
  ...STORE,
  ...inGroup('raw', {
    rawCacheMb: withDetails(
      integer('raw-cache-mb', 'megabytes of memory for parts of sealed files that are in S3', {
        min: 1,
        max: 65_536,
        fallback: 64,
      }),
      'Of each process that opens the log.',
    ),
  }),
} as const;
