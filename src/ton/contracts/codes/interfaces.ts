import { INTERFACES_BY_CODE, INTERFACES_BY_METHODS } from './interface-table.ts';
import { withLibraryCells } from './library-code.ts';
import { methodId } from './method-id.ts';

const METHODS = Object.entries(INTERFACES_BY_METHODS).map(
  ([name, methods]) => [name, methods.map(methodId)] as const,
);

const BY_CODE = withLibraryCells(INTERFACES_BY_CODE, 'base64');

/**
 * Returns the name of a contract by the hash of its code or library cell (base64); null if only its methods identify
 * it.
 */
export function interfaceOfCode(codeHash: string): string | null {
  return BY_CODE.get(codeHash) ?? null;
}

/** Names of which a code has all methods, sorted. */
export function interfacesOfMethods(methods: readonly number[]): string[] {
  const has = new Set(methods);
  return METHODS.filter(([, ids]) => ids.every((id) => has.has(id)))
    .map(([name]) => name)
    .sort();
}
