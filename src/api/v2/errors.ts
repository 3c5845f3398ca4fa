import { HttpError, NotHeldError } from '../http/errors/http-error.ts';
import type { ProjectionUnavailableError } from '../version-vector.ts';

/** A parameter is missing, of the wrong type or out of bounds: 422. */
export class InvalidRequest extends HttpError {
  constructor(text: string) {
    super(422, text);
  }
}

/** tryLocate… found nothing: 404 (contract/v2-endpoints.md section 3). */
export class TransactionNotFound extends HttpError {
  constructor() {
    super(404, 'transaction was not found');
  }
}

/** A projection that is off is 501, one without data yet 503, and one that is late is not ready: clients retry. */
export function unavailableError({ state, message }: ProjectionUnavailableError): HttpError {
  if (state === 'off') return new HttpError(501, message);
  return state === 'building'
    ? new HttpError(503, `LITE_SERVER_NOTREADY: ${message}`)
    : new NotHeldError(message);
}
