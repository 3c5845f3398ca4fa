/**
 * Whether a network is a test network. Mainnet's masterchain sets no test flag; neither does a network that nobody calls a
 * test network.
 */
export function isTestnet({ network, facts }: NetworkNames): boolean {
  return facts.global_id === '-3' || network.startsWith('testnet');
}

/** Label and facts of a network, as logs keep them. */
interface NetworkNames {
  readonly network: string;
  readonly facts: Readonly<Record<string, string>>;
}
