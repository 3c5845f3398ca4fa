import { ObjectMissingError, ObjectStoreError } from './object-store-error.ts';
import { readS3Location, type S3Location, type S3Settings } from './s3-location.ts';
import { REQUEST_LIMITS, type RequestLimits, RequestSender } from './signed-request.ts';

/** Contents of a new object, read part by part. */
export interface UploadInput {
  readonly bytes: number;
  read(at: number, length: number): Promise<Uint8Array>;
}

/** What happens during an upload. */
export interface UploadWatch {
  readonly signal: AbortSignal;
  onBytes(done: number): void;
}

/** Parts have at least 5 MiB in S3, and there are at most 10,000. */
const PART_BYTES = 16 << 20;
const MAX_PARTS = 10_000;

/** Objects of a bucket, below a prefix. */
export class Bucket {
  readonly #location: S3Location;
  readonly #sender: RequestSender;

  constructor(location: S3Location, limits: RequestLimits = REQUEST_LIMITS) {
    this.#location = location;
    this.#sender = new RequestSender(location, limits);
  }

  /**
   * The bucket and prefix of `s3://bucket/prefix`. `setting`: where the address is from.
   * @throws S3LocationError
   */
  static open(address: string, settings: S3Settings, setting: string, limits?: RequestLimits): Bucket {
    return new Bucket(readS3Location(address, settings, setting), limits);
  }

  /** Address of an object: `s3://bucket/prefix/name`. */
  address(name: string): string {
    const { bucket, prefix } = this.#location;
    return `s3://${bucket}/${prefix}${name}`;
  }

  /**
   * Some bytes of an object.
   * @throws ObjectMissingError, ObjectRefusedError, ObjectStoreError
   */
  async read(name: string, at: number, length: number, signal: AbortSignal): Promise<Uint8Array> {
    const range = { at, length };
    return (await this.#sender.send({ method: 'GET', key: this.#key(name), range, signal })).body;
  }

  /** Size of an object; null if there is none. */
  async size(name: string, signal: AbortSignal): Promise<number | null> {
    try {
      const { headers } = await this.#sender.send({ method: 'HEAD', key: this.#key(name), signal });
      return Number(headers.get('content-length'));
    } catch (error) {
      if (error instanceof ObjectMissingError) return null;
      throw error;
    }
  }

  /** Deletes an object, if there is one. */
  async delete(name: string, signal: AbortSignal): Promise<void> {
    await this.#sender.send({ method: 'DELETE', key: this.#key(name), signal }).catch(unlessMissing);
  }

  /**
   * Writes an object in parts. It appears when all parts are there. Uploads of the same object that were interrupted are
   * ended first: their parts would cost space.
   */
  async upload(name: string, input: UploadInput, { signal, onBytes }: UploadWatch): Promise<void> {
    const key = this.#key(name);
    for (const uploadId of await this.#interruptedUploads(key, signal))
      await this.#abort(key, uploadId, signal);
    const begun = await this.#sender.send({ method: 'POST', key, query: { uploads: '' }, signal });
    const uploadId = readTag(begun.body, 'UploadId');
    if (uploadId === undefined)
      throw new ObjectStoreError(this.address(name), 'expected the id of an upload');
    const size = Math.max(PART_BYTES, Math.ceil(input.bytes / MAX_PARTS));
    const tags: string[] = [];
    for (let at = 0; at < input.bytes; at += size) {
      const body = await input.read(at, Math.min(size, input.bytes - at));
      const query = { partNumber: `${tags.length + 1}`, uploadId };
      const { headers } = await this.#sender.send({ method: 'PUT', key, query, body, signal });
      tags.push(headers.get('etag') ?? '');
      onBytes(at + body.length);
    }
    await this.#complete(name, { uploadId, tags, bytes: input.bytes }, signal);
  }

  async #complete(
    name: string,
    {
      uploadId,
      tags,
      bytes,
    }: { readonly uploadId: string; readonly tags: readonly string[]; readonly bytes: number },
    signal: AbortSignal,
  ): Promise<void> {
    const parts = tags.map(
      (tag, i) =>
        `<Part><PartNumber>${i + 1}</PartNumber><ETag>${tag.replaceAll('"', '&quot;')}</ETag></Part>`,
    );
    const text = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
    const key = this.#key(name);
    const query = { uploadId };
    try {
      const body = Buffer.from(text);
      const answer = await this.#sender.send({ method: 'POST', key, query, body, signal });
      // A failure after the first bytes of the answer has the status 200.
      const code = readTag(answer.body, 'Code');
      if (code === undefined) return;
    } catch (error) {
      if (!(error instanceof ObjectMissingError)) throw error;
    }
    // The answer to an earlier attempt may be lost: then the upload has ended, and the object is there.
    if ((await this.size(name, signal)) !== bytes)
      throw new ObjectStoreError(this.address(name), `expected an object of ${bytes} bytes after the upload`);
  }

  /** Uploads of one object that nobody continues. */
  async #interruptedUploads(key: string, signal: AbortSignal): Promise<readonly string[]> {
    const { body } = await this.#sender.send({
      method: 'GET',
      key: '',
      query: { uploads: '', prefix: key },
      signal,
    });
    const uploads = Buffer.from(body).toString().split('<Upload>').slice(1);
    return uploads.flatMap((one) => {
      const uploadId = readTag(one, 'UploadId');
      return uploadId !== undefined && readTag(one, 'Key') === key ? [uploadId] : [];
    });
  }

  async #abort(key: string, uploadId: string, signal: AbortSignal): Promise<void> {
    await this.#sender.send({ method: 'DELETE', key, query: { uploadId }, signal }).catch(unlessMissing);
  }

  #key(name: string): string {
    return `${this.#location.prefix}${name}`;
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof ObjectMissingError)) throw error;
}

/** Text of the first element of a name. Ids and codes have no entities. */
function readTag(xml: Uint8Array | string, name: string): string | undefined {
  const text = typeof xml === 'string' ? xml : Buffer.from(xml).toString();
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];
}
