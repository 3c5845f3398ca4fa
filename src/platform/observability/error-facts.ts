/** An error's text may contain a whole statement with values: its beginning has the cause, its end the kind. */
const HEAD = 800;
const TAIL = 200;
const STACK_LINES = 12;

/** A text of at most about a thousand characters: its middle is left out. */
export function cut(text: string): string {
  const left = text.length - HEAD - TAIL;
  return left <= 0 ? text : `${text.slice(0, HEAD)} … ${left} characters … ${text.slice(-TAIL)}`;
}

/** Facts of an error for a JSON log: its own fields, long texts cut. */
export function errorFacts(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const fields = Object.entries(error).map(
    ([name, value]) => [name, typeof value === 'string' ? cut(value) : value] as const,
  );
  return {
    ...Object.fromEntries(fields),
    name: error.name,
    message: cut(error.message),
    stack: getStackText(error),
    ...(error.cause instanceof Error ? { cause: cut(error.cause.message) } : {}),
  };
}

/** The lines of the stack without the message, which they would repeat. */
function getStackText({ stack }: Error): string | undefined {
  return stack
    ?.split('\n')
    .filter((line) => line.startsWith('    at '))
    .slice(0, STACK_LINES)
    .join('\n');
}

/** The errors that an error names as its causes, the nearest first. */
export function getCauses(error: Error): Error[] {
  const causes: Error[] = [];
  for (let { cause } = error; cause instanceof Error; { cause } = cause) causes.push(cause);
  return causes;
}
