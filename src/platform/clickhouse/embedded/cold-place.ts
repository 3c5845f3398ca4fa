/** Where the cold volume of an embedded store is. */
export type ColdPlace =
  | {
      /** Absolute path. */
      readonly folder: string;
    }
  | S3Place;

/** A prefix of a bucket, and the login. */
export interface S3Place {
  /** `s3://BUCKET/PREFIX`, for people. */
  readonly name: string;
  /** Address of the prefix, with a slash at its end. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly sessionToken?: string | undefined;
}
