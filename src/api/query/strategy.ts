/** One way to read a list. The first of a list of strategies that fits a request reads it. */
export interface Strategy<Request> {
  readonly name: string;
  fits(request: Request): boolean;
}

/** The first strategy that fits. @throws RangeError if none does: the last one of a list should always fit */
export function chooseStrategy<Request, One extends Strategy<Request>>(
  strategies: readonly One[],
  request: Request,
): One {
  const found = strategies.find(({ fits }) => fits(request));
  if (!found)
    throw new RangeError(`no strategy fits ${JSON.stringify(request, (_, value) => String(value))}`);
  return found;
}
