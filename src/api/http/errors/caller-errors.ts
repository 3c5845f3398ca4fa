/** The time of an answer is used up, by its statements and by waiting for them. */
export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';
}

/** No caller waits for the answer any more. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}
