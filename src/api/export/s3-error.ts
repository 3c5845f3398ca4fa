import { StoreError } from '../../platform/clickhouse/store-errors.ts';
import { DataError } from '../../platform/errors/error-kinds.ts';
import type { S3Location } from '../../platform/object-store/s3-location.ts';

/** The S3 store refused or failed a request. */
export class S3Error extends DataError {}

/** S3_ERROR of ClickHouse. */
const S3_ERROR = 499;
/** Status of a refused login, and of a bucket or object that the login may not use. */
const REFUSED = /HTTP response code: (401|403)\b|Access ?Key ?Id|signature we calculated|access denied/i;
const NO_BUCKET = /bucket does not exist|NoSuchBucket/i;

/**
 * An error of the S3 store without the login, and with what to check. Other errors are returned as they are: they come from the rows or
 * from the store.
 */
export function toS3Error(error: unknown, location: S3Location, path: string): unknown {
  const isOfStore = error instanceof StoreError;
  if (isOfStore && error.code !== S3_ERROR) return error;
  if (!(error instanceof Error) || error.name === 'AbortError') return error;
  const text = withoutSecrets(error.message, location);
  const place = `s3://${location.bucket}/${location.prefix}${path}`;
  return new S3Error(`${place}: ${advice(text, location)}${text}`);
}

function advice(text: string, { bucket, accessKey, url }: S3Location): string {
  if (NO_BUCKET.test(text)) return `the bucket ${bucket} does not exist at ${url}. `;
  if (REFUSED.test(text))
    return `the store refused the access key ${accessKey}: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, the region and the rights on the bucket. `;
  return '';
}

function withoutSecrets(text: string, { secretKey, sessionToken }: S3Location): string {
  return [secretKey, sessionToken ?? '']
    .filter((one) => one !== '')
    .reduce((before, one) => before.replaceAll(one, '[HIDDEN]'), text);
}
