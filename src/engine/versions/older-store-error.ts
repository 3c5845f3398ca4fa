import { ConflictError } from '../../platform/errors/error-kinds.ts';

/** The store was made by an older release: a command that only reads does not bring it up to date. */
export class OlderStoreError extends ConflictError {
  readonly network: string;
  /** Parts that the store lacks, in words. */
  readonly lacks: readonly string[];

  constructor(network: string, lacks: readonly string[]) {
    super(
      `the store of ${network} was made by an older release and lacks ${lacks.join(', ')}: \`tonhouse migrate\` brings it up ` +
        'to date; this command changes nothing',
    );
    this.network = network;
    this.lacks = lacks;
  }

  override get exitCode(): number {
    return 3;
  }
}
