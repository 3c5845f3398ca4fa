import type { ProjectionUnavailableError } from '../version-vector.ts';

/** A failure with the status and the text that the answer carries. */
export class V2Error extends Error {
  override readonly name: string = 'V2Error';
  /** HTTP status, also `code` of the body. */
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.status = status;
  }
}

/** A parameter is missing, of the wrong type or out of bounds: 422. */
export class InvalidRequest extends V2Error {
  override readonly name = 'InvalidRequest';

  constructor(text: string) {
    super(422, text);
  }
}

/** tryLocate… found nothing: 404 (contract/v2-endpoints.md section 3). */
export class TransactionNotFound extends V2Error {
  override readonly name = 'TransactionNotFound';

  constructor() {
    super(404, 'transaction was not found');
  }
}

/** A block or state that is not in the visible range: 500 with a text that starts with `LITE_SERVER_`. */
export class NotInIndex extends V2Error {
  override readonly name = 'NotInIndex';

  constructor(what: string) {
    super(500, `LITE_SERVER_NOTREADY: ${what}`);
  }
}

/** A projection that is off is 501, one without data yet 503, and one that is late is not ready: clients retry. */
export function unavailableError({ state, message }: ProjectionUnavailableError): V2Error {
  if (state === 'off') return new V2Error(501, message);
  return state === 'building'
    ? new V2Error(503, `LITE_SERVER_NOTREADY: ${message}`)
    : new NotInIndex(message);
}

/** The lt and hash of a cursor name no transaction of the account: 500. */
export class UnknownCursor extends V2Error {
  override readonly name = 'UnknownCursor';

  constructor(text: string) {
    super(500, text);
  }
}
