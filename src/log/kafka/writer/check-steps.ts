import { InvalidRequestError } from '../../errors.ts';
import type { LogIdentity, NewStep } from '../../port.ts';
import { checkHeaders } from '../record-headers.ts';

/** Steps as the port wants them, of the log's epochs and lanes. @throws InvalidRequestError */
export function checkSteps(
  topic: string,
  { lanes, epochSize }: LogIdentity,
  steps: readonly NewStep[],
): void {
  for (const { position, epoch, lane, records } of steps) {
    const where = `${topic}, step ${position}`;
    if (!Number.isSafeInteger(position) || position < 0)
      throw new InvalidRequestError(where, 'a position that is an integer from 0', String(position));
    if (epoch !== Math.floor(position / epochSize))
      throw new InvalidRequestError(where, `epoch ${Math.floor(position / epochSize)}`, String(epoch));
    if (lane !== epoch % lanes)
      throw new InvalidRequestError(where, `lane ${epoch % lanes} (epoch mod ${lanes})`, String(lane));
    if (records.length === 0) throw new InvalidRequestError(where, 'at least one record', 'none');
    for (const { headers } of records) checkHeaders(where, headers);
  }
}
