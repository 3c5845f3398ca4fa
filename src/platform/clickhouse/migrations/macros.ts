import { DataError } from '../../errors/error-kinds.ts';
import { secretsDatabase } from './database-names.ts';

/** Values of the macros in migration files. */
export interface MacroValues {
  /** Database that the files are applied to. */
  readonly database: string;
  /** Database of the network: identity, migrations, pointers. */
  readonly meta: string;
  /** Positions per epoch. */
  readonly epochSize: number;
  /** Name of the cluster, or null on one server. */
  readonly cluster: string | null;
}

/** A macro that does not exist, or is written wrongly. */
export class MacroError extends DataError {
  readonly macro: string;

  constructor(macro: string) {
    super(
      `unknown macro {${macro}}: known are {db}, {meta}, {secrets}, {cluster}, {epoch_size}, {engine:…MergeTree…}`,
    );
    this.macro = macro;
  }
}

/** `MergeTree` on one server is `ReplicatedMergeTree` on a cluster, with the server's default path and replica. */
function engine(name: string, cluster: string | null): string {
  return cluster ? `Replicated${name}` : name;
}

function expand(macro: string, values: MacroValues): string {
  const family = /^engine:([A-Za-z]*MergeTree(?:\(.*\))?)$/s.exec(macro)?.[1];
  if (family) return engine(family, values.cluster);
  switch (macro) {
    case 'db':
      return values.database;
    case 'meta':
      return values.meta;
    case 'secrets':
      return secretsDatabase(values.meta);
    case 'epoch_size':
      return String(values.epochSize);
    case 'cluster':
      return values.cluster ? ` ON CLUSTER '${values.cluster}'` : '';
    default:
      throw new MacroError(macro);
  }
}

/**
 * Replaces the macros of a statement: `{db}`, `{meta}`, `{secrets}`, `{epoch_size}`, `{cluster}` (` ON CLUSTER 'x'` or nothing)
 * and `{engine:ReplacingMergeTree(lt)}` (→ `ReplicatedReplacingMergeTree(lt)` on a cluster). Anything else in braces
 * is an error: a file must not reach the server with a macro that nobody replaced.
 */
export function expandMacros(statement: string, values: MacroValues): string {
  return statement.replaceAll(/\{([^{}]*)\}/g, (_, macro: string) => expand(macro, values));
}
