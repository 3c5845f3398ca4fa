import { UsageError } from '../platform/errors/error-kinds.ts';
import { fromHex } from '../ton/hash/hex.ts';

/** A network by the hashes of its masterchain zerostate. */
export interface KnownNetwork {
  readonly label: string;
  /** `ROOT:FILE`, lower-case hex. */
  readonly id: string;
  readonly globalId: number;
}

/** Networks whose label is enough. The zerostate hashes are those of their published global configurations. */
export const KNOWN_NETWORKS: readonly KnownNetwork[] = [
  {
    label: 'mainnet',
    id: '17a3a92992aabea785a7a090985a265cd31f323d849da51239737e321fb05569:5e994fcf4d425c0a6ce6a792594b7173205f740a39cd56f537defd28b48a0f6e',
    globalId: -239,
  },
  {
    label: 'testnet',
    id: '823f81f306ff02694f935cf5021548e3ce2b86b529812af6a12148879e95a128:67e20ac184b9e039a62667acc3f9c00f90f359a76738233379efa47604980ce8',
    globalId: -3,
  },
];

/** Value of `--network`: a label, and the network's id if it is known or given. */
export interface DeclaredNetwork {
  readonly label: string;
  readonly id: string | null;
}

/** `--network` is neither a label nor LABEL=ROOTHASH:FILEHASH. */
export class NetworkSpecError extends UsageError {
  readonly spec: string;

  constructor(spec: string, problem: string) {
    super(
      `--network ${JSON.stringify(spec)}: ${problem}; allowed are ${KNOWN_NETWORKS.map(({ label }) => label).join(', ')}, ` +
        'a label, or LABEL=ROOTHASH:FILEHASH of the masterchain zerostate in hex',
    );
    this.spec = spec;
  }
}

/** Labels are parts of database and topic names. */
const LABEL = /^[a-z][a-z0-9_]{0,31}$/;

/**
 * Reads `--network`.
 * @throws NetworkSpecError
 */
export function parseNetwork(spec: string): DeclaredNetwork {
  const [label = '', hashes, ...rest] = spec.split('=');
  if (!LABEL.test(label)) throw new NetworkSpecError(spec, `the label must match ${LABEL.source}`);
  const known = KNOWN_NETWORKS.find((network) => network.label === label);
  if (hashes === undefined) return { label, id: known?.id ?? null };
  const [root, file, ...more] = hashes.split(':').map((hash) => fromHex(hash));
  if (root?.length !== 32 || file?.length !== 32 || rest.length + more.length > 0)
    throw new NetworkSpecError(spec, 'the zerostate must be two hashes of 64 hex digits');
  const id = hashes.toLowerCase();
  if (known && known.id !== id) throw new NetworkSpecError(spec, `the zerostate of ${label} is ${known.id}`);
  return { label, id };
}
