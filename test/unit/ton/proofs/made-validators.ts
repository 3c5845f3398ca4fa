import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { checkSignatures } from '../../../../src/ton/proofs/check-signatures.ts';
import type { ConfiguredValidators } from '../../../../src/ton/proofs/configured-validators.ts';
import { keyId } from '../../../../src/ton/proofs/key-id.ts';
import { SignatureError } from '../../../../src/ton/proofs/signature-error.ts';
import type { BlockSignature } from '../../../../src/ton/proofs/signature-set.ts';

/** Code of the refusal; null if the set proves the block. */
export function refusalOf(...check: Parameters<typeof checkSignatures>): string | null {
  try {
    checkSignatures(...check);
    return null;
  } catch (error) {
    if (error instanceof SignatureError) return error.code;
    throw error;
  }
}

/** Short id of a key, in hex. */
export function idOf(publicKey: Uint8Array): string {
  return keyId(publicKey).toHex();
}

/** A validator with its key. */
export interface MadeValidator {
  readonly publicKey: Uint8Array;
  readonly privateKey: KeyObject;
  readonly weight: bigint;
}

export function makeValidator(weight: bigint): MadeValidator {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return { publicKey: new Uint8Array(bytes), privateKey, weight };
}

/** A configuration with these validators, all of them of the masterchain, shuffled. */
export function configuration(validators: readonly MadeValidator[]): ConfiguredValidators {
  const list = validators.map(({ publicKey, weight }) => ({ publicKey, weight, adnl: null }));
  const totalWeight = list.reduce((sum, { weight }) => sum + weight, 0n);
  const total = list.length;
  return {
    set: { since: 0, until: 2 ** 32 - 1, total, main: total, totalWeight, list },
    catchain: {
      shuffleMasterchain: true,
      masterchainLifetime: 250,
      shardLifetime: 250,
      shardValidatorsLifetime: 1000,
      shardValidators: 1,
    },
  };
}

export function signWith({ publicKey, privateKey }: MadeValidator, bytes: Uint8Array): BlockSignature {
  return { nodeId: keyId(publicKey), signature: new Uint8Array(sign(null, bytes, privateKey)) };
}
