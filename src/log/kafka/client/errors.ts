import { ConflictError, DataError, UnavailableError } from '../../../platform/errors/error-kinds.ts';

/** No broker answered for as long as the bus may wait. */
export class BrokerUnavailableError extends UnavailableError {
  readonly operation: string;
  readonly brokers: readonly string[];
  readonly forMs: number;
  constructor(operation: string, brokers: readonly string[], forMs: number, cause: unknown) {
    super(
      `${operation}: Kafka at ${brokers.join(', ')} failed for ${Math.round(forMs / 1000)} s: ${getInnermostReason(cause)}`,
      { cause },
    );
    this.operation = operation;
    this.brokers = brokers;
    this.forMs = forMs;
  }

  /** False: the bus retried until its time limit. */
  override get isRetriable(): boolean {
    return false;
  }
}

/** The brokers refuse, and would refuse again: credentials, rights, a setting. */
export class BrokerRefusedError extends ConflictError {
  readonly operation: string;
  readonly brokers: readonly string[];
  /** Kafka's name of the error, e.g. `TOPIC_AUTHORIZATION_FAILED`, or the code of TLS. */
  readonly type: string;
  constructor(operation: string, brokers: readonly string[], type: string, cause: unknown) {
    super(`${operation}: Kafka at ${brokers.join(', ')} refuses (${type}): ${getInnermostReason(cause)}`, {
      cause,
    });
    this.operation = operation;
    this.brokers = brokers;
    this.type = type;
  }
}

/** A request failed with an error code of the protocol, e.g. 3 for an unknown topic. */
export class KafkaCodeError extends DataError {
  readonly code: number;
  readonly where: string;
  constructor(where: string, code: number) {
    super(`${where}: error code ${code} of Kafka's protocol`);
    this.where = where;
    this.code = code;
  }
}

/** Errors that a retry cannot change. */
const FINAL_TYPES = new Set([
  'TOPIC_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_CONFIG',
  'INVALID_PARTITIONS',
  'INVALID_REPLICATION_FACTOR',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_TRANSACTION_TIMEOUT',
  'POLICY_VIOLATION',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_COMPRESSION_TYPE',
  // TLS.
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Errors of kafkajs that carry no type, by class. */
const FINAL_NAMES: Readonly<Record<string, string>> = {
  KafkaJSSASLAuthenticationError: 'SASL_AUTHENTICATION_FAILED',
};

/** The name of what makes an error final, somewhere in its chain of causes; null where trying again may help. */
export function findFinalType(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const field of ['type', 'code'] as const) {
      const value = (at as { type?: unknown; code?: unknown })[field];
      if (typeof value === 'string' && FINAL_TYPES.has(value)) return value;
    }
    const named = FINAL_NAMES[at.name];
    if (named) return named;
  }
  return null;
}

/** The sentence of the innermost cause: kafkajs wraps it several times. */
export function getInnermostReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let at = error;
  while (at.cause instanceof Error) at = at.cause;
  return at.message || at.name;
}
