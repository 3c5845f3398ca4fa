/** The command line or a setting cannot be used: the user has to change it. Commands end with exit code 2. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}
