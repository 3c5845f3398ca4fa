import { ConflictError } from '../../../platform/errors/error-kinds.ts';

/** The log is on Kafka, whose brokers store and compress it. */
export class NoSealingError extends ConflictError {
  constructor() {
    super('only the log of a data directory is sealed: a log on Kafka is compressed by its brokers');
  }
}
