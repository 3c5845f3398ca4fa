import { choice, optionalText, text, toggle } from '../setting.ts';
import { inGroup, withDetails } from '../setting-notes.ts';

/** Settings of a live network. */
export const LIVE_NETWORK = {
  follow: withDetails(
    toggle('follow', 'wait at the end of archive:PATH for blocks that a node is still writing'),
    'Only for the source archive:PATH. localnet and liteserver are always followed.',
  ),
  ...inGroup('live', {
    globalConfig: withDetails(
      optionalText('global-config', 'global configuration of the network, with its lite servers', 'FILE'),
      'Needed by the source liteserver.',
    ),
    trust: withDetails(
      choice(
        'trust',
        'proofs of blocks from lite servers: hashes, chain or signatures',
        ['hashes', 'chain', 'signatures'],
        'signatures',
      ),
      'hashes: the bytes of each block and the links between blocks. chain: also, the first block follows the trusted one. signatures: two thirds of the validators signed.',
    ),
    trustedBlock: withDetails(
      optionalText('trusted-block', 'masterchain block that is trusted without a proof', 'SEQNO:ROOT:FILE'),
      'Hashes in hex. Without it, the init block of the global configuration is trusted.',
    ),
  }),
  ...inGroup('start', {
    from: withDetails(
      text('from', 'first masterchain block of a new index: now, a seqno or a time', 'START', 'now'),
      'A time is in UTC: 2026-11-28 or 2026-11-28T10:00:00Z, only for the source liteserver. For archive:PATH: a seqno; now is its first block.',
    ),
    to: withDetails(
      optionalText('to', 'last masterchain block that is taken of archive:PATH', 'SEQNO'),
      'Without it, all blocks are taken.',
    ),
    startLt: withDetails(
      optionalText('start-lt', 'start of the index that this range will be joined to', 'TEXT'),
      'The value that `tonhouse status` shows of the first range. Rows of the first blocks depend on it. Fixed when the log is created.',
    ),
  }),
} as const;
