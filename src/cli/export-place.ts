import { resolve } from 'node:path';
import type { ExportPlace } from '../api/export/export-place.ts';
import { folderPlace } from '../api/export/folder-place.ts';
import { s3Place } from '../api/export/s3-place.ts';
import type { StoreClient } from '../platform/clickhouse/client.ts';
import { readS3Location, type S3Settings } from '../platform/object-store/s3-location.ts';

/**
 * The place of `--out`: a folder, or `s3://BUCKET/PREFIX`. The client is given later, when the store is open.
 * @throws S3LocationError
 */
export function openPlace(out: string, settings: S3Settings): (client: StoreClient) => ExportPlace {
  if (!/^s3:/i.test(out)) return (client) => folderPlace(client, resolve(out));
  const location = readS3Location(out, settings, '--out');
  return (client) => s3Place(client, location);
}
