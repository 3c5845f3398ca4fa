import { HttpError } from '../http/errors/http-error.ts';

/** The packed values of a version have a layout that this release does not know. */
export class UnknownLayoutError extends HttpError {
  constructor(found: string) {
    super(503, `the index was built by a release with other tables (${found}): this one cannot read them`);
  }
}
