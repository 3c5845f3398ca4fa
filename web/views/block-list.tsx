import type { Block } from '../api/types.ts';
import { groupDigits } from '../format/amount.ts';
import { Table } from '../parts/layout.tsx';
import { When } from '../parts/text.tsx';
import { blockHref } from '../routes.ts';

/** Identity of a block on its chain. */
export function blockKey({ workchain, shard, seqno }: Pick<Block, 'workchain' | 'shard' | 'seqno'>): string {
  return `${workchain}:${shard}:${seqno}`;
}

export function BlockLink({ block }: { readonly block: Pick<Block, 'workchain' | 'shard' | 'seqno'> }) {
  return <a href={blockHref(block)}>{groupDigits(block.seqno)}</a>;
}

export function ChainName({ block }: { readonly block: Pick<Block, 'workchain' | 'shard'> }) {
  if (block.workchain === -1) return <>masterchain</>;
  return (
    <>
      {block.workchain === 0 ? 'basechain' : `workchain ${block.workchain}`}{' '}
      {block.shard !== '8000000000000000' && <span class="mono">{block.shard.replace(/0+$/, '')}</span>}
    </>
  );
}

export function BlockList({ label, blocks }: { readonly label: string; readonly blocks: readonly Block[] }) {
  return (
    <Table
      label={label}
      heads={['Block', 'Chain', '#Transactions', '#Age']}
      rows={blocks.map((block) => ({
        key: blockKey(block),
        cells: [
          <BlockLink key="block" block={block} />,
          <ChainName key="chain" block={block} />,
          groupDigits(block.tx_count),
          <When key="age" unix={block.gen_utime} isShort />,
        ],
      }))}
    />
  );
}
