/** Code hashes (base64) of the wallets that are shown without the bounce flag (v3-models.md 8.2). */
const PLAIN_WALLETS: ReadonlySet<string> = new Set([
  'oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', // v1 r1
  '1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', // v1 r2
  'WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', // v1 r3
  'XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', // v2 r1
  '/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', // v2 r2
  'thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', // v3 r1
  'hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', // v3 r2
  'ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', // v4 r1
  '/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', // v4 r2
  '89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', // v5 beta
  'IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', // v5 r1
]);

export function isPlainWallet(codeHash: string): boolean {
  return PLAIN_WALLETS.has(codeHash);
}
