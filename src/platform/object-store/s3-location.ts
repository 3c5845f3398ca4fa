import { UsageError } from '../errors/error-kinds.ts';

/** A prefix of a bucket, and the login for it. */
export interface S3Location {
  readonly bucket: string;
  /** Keys begin with it; empty, or ends with a slash. */
  readonly prefix: string;
  /** Address of the bucket. */
  readonly url: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}

/** Settings of the store. */
export interface S3Settings {
  readonly s3Endpoint?: string | undefined;
  readonly s3Region: string;
  readonly s3AccessKey?: string | undefined;
  readonly s3SecretKey?: string | undefined;
  readonly s3SessionToken?: string | undefined;
}

/** The address of a bucket, or its login, cannot be used. */
export class S3LocationError extends UsageError {}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/;
/** Other characters have a meaning in patterns of ClickHouse, or in addresses. */
const PREFIX = /^[\w.=@/-]*$/;

/**
 * Reads `s3://bucket/prefix`. `setting`: where the address is from. Stores other than Amazon's have the bucket in the path, as buckets with dots do: the certificate of
 * Amazon's names has no further level.
 * @throws S3LocationError
 */
export function readS3Location(address: string, settings: S3Settings, setting: string): S3Location {
  const [, bucket, path = ''] = ADDRESS.exec(address) ?? [];
  const prefix = path.replace(/\/+$/, '');
  if (bucket === undefined || !PREFIX.test(prefix) || prefix.split('/').includes('..'))
    throw new S3LocationError(
      `${setting}: found ${JSON.stringify(address)}, allowed: s3://BUCKET/PREFIX, with letters, digits and . _ - = @ / in the prefix`,
    );
  const { s3AccessKey: accessKey, s3SecretKey: secretKey, s3SessionToken: sessionToken } = settings;
  if (accessKey === undefined || secretKey === undefined)
    throw new S3LocationError(
      `${address}: expected a login in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, found ${accessKey === undefined ? 'no AWS_ACCESS_KEY_ID' : 'no AWS_SECRET_ACCESS_KEY'}`,
    );
  const url = bucketUrl(bucket, settings);
  return {
    bucket,
    prefix: prefix === '' ? '' : `${prefix}/`,
    url,
    region: settings.s3Region,
    accessKey,
    secretKey,
    sessionToken,
  };
}

function bucketUrl(bucket: string, { s3Endpoint, s3Region }: S3Settings): string {
  if (s3Endpoint !== undefined) return `${s3Endpoint.replace(/\/$/, '')}/${bucket}`;
  const host = `s3.${s3Region}.amazonaws.com`;
  return bucket.includes('.') ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
}
