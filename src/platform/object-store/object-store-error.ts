import { ConflictError, DataError, UnavailableError } from '../errors/error-kinds.ts';

/** A store that speaks S3 did not answer, or failed: the same request may succeed later. */
export class ObjectStoreError extends UnavailableError {
  /** Address of the object, `s3://bucket/key`. */
  readonly address: string;
  /** What happened, without anything that the store wrote. */
  readonly reason: string;

  constructor(address: string, reason: string, options?: ErrorOptions) {
    super(`${address}: ${reason}`, options);
    this.address = address;
    this.reason = reason;
  }
}

/** The store refused a request: the login, the bucket or the rights are wrong. */
export class ObjectRefusedError extends ConflictError {
  readonly address: string;
  readonly status: number;
  /** Code of S3, such as `AccessDenied`; empty if the answer has none. */
  readonly code: string;

  constructor(address: string, status: number, code: string) {
    super(
      `${address}: the store refused the request with status ${status}${code === '' ? '' : `, ${code}`}: check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL, AWS_REGION, the name of the bucket and the rights on it`,
    );
    this.address = address;
    this.status = status;
    this.code = code;
  }
}

/** The bucket has no object of this name. */
export class ObjectMissingError extends DataError {
  readonly address: string;

  constructor(address: string) {
    super(`${address} does not exist`);
    this.address = address;
  }
}
