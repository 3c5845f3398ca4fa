/** What a judge found. A lie that a judge did not refuse is a difference. */
export interface Verdict {
  readonly judge: string;
  readonly version: string;
  readonly requests: number;
  readonly accepted: number;
  readonly differences?: number;
  readonly refused_lies: number;
  /** Requests that the judge refused or could not read, and lies that it accepted. */
  readonly failures?: readonly string[];
}

/** A judge that could not be installed here. */
export interface Skipped {
  readonly judge: string;
  readonly version: string;
  readonly skipped: string;
}

/** The packages of a judge cannot be had. */
export class NotInstalledError extends Error {
  override readonly name = 'NotInstalledError';
}

/** Counts a judge's answers. */
export class Tally {
  requests = 0;
  accepted = 0;
  refusedLies = 0;
  readonly failures: string[] = [];

  /** Counts an honest answer: it should be accepted. */
  honest(request: string, error: string | null): void {
    this.requests++;
    if (error === null) this.accepted++;
    else this.failures.push(`${request}: ${error}`);
  }

  /** Counts a lie: it should be refused. */
  lie(name: string, error: string | null): void {
    this.requests++;
    if (error === null) this.failures.push(`the lie was accepted: ${name}`);
    else this.refusedLies++;
  }

  toVerdict(judge: string, version: string): Verdict {
    const { requests, accepted, refusedLies: refused_lies, failures } = this;
    return { judge, version, requests, accepted, refused_lies, ...(failures.length > 0 && { failures }) };
  }
}
