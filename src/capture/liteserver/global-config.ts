import { z } from 'zod';
import type { LiteAddress } from '../../liteapi/lite-connection.ts';
import { UsageError } from '../../platform/errors/error-kinds.ts';
import { fromBase64 } from '../../ton/hash/base64.ts';
import type { BlockIdExt } from '../block-id.ts';

/** What a global configuration file of a network says that a lite client needs. */
export interface GlobalConfig {
  readonly servers: readonly LiteAddress[];
  /** Entries that cannot be used, each with the reason. */
  readonly ignored: readonly string[];
  readonly zerostate: BlockIdExt;
  /** A key block that the network's operators vouch for; the zerostate if the file has none. */
  readonly initBlock: BlockIdExt;
  readonly hardForks: readonly BlockIdExt[];
}

/** A global configuration file that cannot be used. */
export class GlobalConfigError extends UsageError {
  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`global configuration ${file}: ${problem}`, options);
  }
}

const hash = z.string().transform((text, context) => {
  const bytes = fromBase64(text);
  if (bytes?.length === 32) return bytes;
  context.addIssue({ code: 'custom', message: 'not the base64 text of 32 bytes' });
  return z.NEVER;
});

/** Integers come as text: shards do not fit the numbers of JavaScript. */
const integer = z.string().regex(/^-?\d{1,20}$/, 'not an integer');
const small = integer.transform(Number);

const block = z
  .object({ workchain: small, shard: integer, seqno: small, root_hash: hash, file_hash: hash })
  .transform(({ workchain, shard, seqno, root_hash, file_hash }) => ({
    workchain,
    shard: BigInt.asUintN(64, BigInt(shard)),
    seqno,
    rootHash: root_hash,
    fileHash: file_hash,
  }));

const server = z
  .object({
    ip: integer.optional(),
    host: z.string().min(1).optional(),
    port: small,
    id: z.object({ key: hash }),
  })
  .transform(({ ip, host, port, id }, context) => {
    const address = host ?? (ip === undefined ? undefined : ipText(Number(ip)));
    if (address !== undefined && port > 0 && port < 65_536) return { host: address, port, key: id.key };
    context.addIssue({
      code: 'custom',
      message: address === undefined ? 'no ip and no host' : `port ${port}`,
    });
    return z.NEVER;
  });

const file = z.object({
  liteservers: z.array(z.unknown()),
  validator: z.object({
    zero_state: block,
    init_block: block.optional(),
    hardforks: z.array(block).default([]),
  }),
});

/**
 * Reads a global configuration, such as the ones that the TON Foundation publishes for mainnet and testnet.
 * @param name the file's name, for errors
 * @throws GlobalConfigError
 */
export function parseGlobalConfig(text: string, name: string): GlobalConfig {
  const parsed = file.safeParse(parseExact(text, name));
  if (!parsed.success) throw new GlobalConfigError(name, formatProblems(parsed.error));
  const { liteservers, validator } = parsed.data;
  const servers: LiteAddress[] = [];
  const ignored: string[] = [];
  for (const [index, entry] of liteservers.entries()) {
    const one = server.safeParse(entry);
    if (one.success) servers.push(one.data);
    else ignored.push(`lite server ${index + 1}: ${formatProblems(one.error)}`);
  }
  if (servers.length === 0)
    throw new GlobalConfigError(name, `no usable lite server${ignored.map((one) => `; ${one}`).join('')}`);
  const { zero_state: zerostate, init_block: initBlock = zerostate, hardforks } = validator;
  return { servers, ignored, zerostate, initBlock, hardForks: hardforks };
}

/** JSON in which every number is its text. */
function parseExact(text: string, name: string): unknown {
  const keepText = (_key: string, value: unknown, context?: { readonly source: string }) =>
    typeof value === 'number' && context ? context.source : value;
  try {
    return JSON.parse(text, keepText);
  } catch (cause) {
    throw new GlobalConfigError(name, `not JSON: ${(cause as Error).message}`, { cause });
  }
}

/** Addresses are signed 32-bit numbers in these files. */
function ipText(ip: number): string {
  return [24, 16, 8, 0].map((shift) => (ip >>> shift) & 255).join('.');
}

function formatProblems({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join('; ');
}
