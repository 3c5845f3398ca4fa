import type { BlockId } from '../ton/decode/block-header.ts';

/** Where a lite server listens, and its key. */
export interface LiteAddressFacts {
  /** IPv4 address. */
  readonly ip: string;
  readonly port: number;
  readonly publicKey: Uint8Array;
}

/**
 * The global configuration file of a network with these lite servers, as official clients read it. Addresses are signed
 * 32-bit numbers there, and shards signed 64-bit ones beyond what JavaScript's numbers hold: the text is written here.
 * `initBlock`: a block that clients trust. Default: the zerostate.
 */
export function globalConfig(
  servers: readonly LiteAddressFacts[],
  zerostate: BlockId,
  initBlock: BlockId = zerostate,
): string {
  return `{
  "@type": "config.global",
  "liteservers": [${servers.map(serverText).join(',')}
  ],
  "dht": { "@type": "dht.config.global", "k": 6, "a": 3, "static_nodes": { "@type": "dht.nodes", "nodes": [] } },
  "validator": {
    "@type": "validator.config.global",
    "zero_state": ${blockText(zerostate)},
    "init_block": ${blockText(initBlock)},
    "hardforks": []
  }
}
`;
}

function serverText({ ip, port, publicKey }: LiteAddressFacts): string {
  return `
    {
      "ip": ${signedAddress(ip)},
      "port": ${port},
      "id": { "@type": "pub.ed25519", "key": "${toBase64(publicKey)}" }
    }`;
}

function blockText({ workchain, shard, seqno, rootHash, fileHash }: BlockId): string {
  return (
    `{ "workchain": ${workchain}, "shard": ${BigInt.asIntN(64, shard)}, "seqno": ${seqno}, ` +
    `"root_hash": "${toBase64(rootHash)}", "file_hash": "${toBase64(fileHash)}" }`
  );
}

function signedAddress(ip: string): number {
  return ip.split('.').reduce((value, part) => (value << 8) | Number(part), 0);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
