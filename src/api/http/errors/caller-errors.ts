import { InterruptedError } from '../../../platform/errors/error-kinds.ts';

/** The time of an answer is used up, by its statements and by waiting for them. */
export class DeadlineError extends InterruptedError {
  override get httpStatus(): number {
    return 500;
  }
}

/** No caller waits for the answer any more. */
export class ClientGoneError extends InterruptedError {}
