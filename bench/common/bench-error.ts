/** The bench cannot run as asked; printed without a stack. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
}
