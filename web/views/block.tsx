import type { Answer } from '../api/request.ts';
import { toUrl } from '../api/request.ts';
import type { Block, Transaction } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { usePages } from '../api/use-pages.ts';
import { groupDigits } from '../format/amount.ts';
import { Fields, Panel, Sources } from '../parts/layout.tsx';
import { Notice, Shown } from '../parts/notice.tsx';
import { PageList } from '../parts/page-list.tsx';
import { Badge, Hash, When } from '../parts/text.tsx';
import { BlockLink, ChainName } from './block-list.tsx';
import { TransactionList } from './transaction-list.tsx';

/** A block: `#/block/WORKCHAIN/SHARD/SEQNO`. */
export function BlockView({ values }: { readonly values: readonly string[] }) {
  const [workchain = '', shard = '', seqno = ''] = values;
  const parameters = { workchain, shard, seqno, limit: 1 };
  const loaded = useAnswer('/api/v3/blocks', parameters);
  const list = { workchain, shard, seqno, limit: 50, sort: 'desc' };
  return (
    <>
      <h1>
        Block {/^\d+$/.test(seqno) ? groupDigits(seqno) : ''}{' '}
        <small>
          {workchain}:{shard}
        </small>
      </h1>
      <Shown loaded={loaded}>
        {({ blocks }) =>
          blocks[0] ? (
            <BlockFields block={blocks[0] as Block} />
          ) : (
            <Notice>The index has no such block.</Notice>
          )
        }
      </Shown>
      {loaded.answer?.blocks[0] && <BlockTransactions parameters={list} />}
      <Sources urls={[toUrl('/api/v3/blocks', parameters), toUrl('/api/v3/transactions', list)]} />
    </>
  );
}

function BlockTransactions({
  parameters,
}: {
  readonly parameters: Readonly<Record<string, string | number>>;
}) {
  const pages = usePages<Answer<'/api/v3/transactions'>>('/api/v3/transactions', parameters);
  return (
    <Panel title="Transactions">
      <PageList pages={pages} empty="The block has no transactions.">
        {(answers) => (
          <TransactionList
            label="Transactions of the block"
            transactions={answers.flatMap(({ transactions }) => transactions as readonly Transaction[])}
            names={{ address_book: Object.assign({}, ...answers.map((one) => one.address_book)) }}
          />
        )}
      </PageList>
    </Panel>
  );
}

function BlockFields({ block }: { readonly block: Block }) {
  const flags = (
    ['key_block', 'after_merge', 'after_split', 'before_split', 'want_merge', 'want_split'] as const
  )
    .filter((name) => block[name])
    .map((name) => name.replaceAll('_', ' '));
  return (
    <Panel
      title="Fields"
      aside={
        <nav aria-label="Neighbours">
          {block.seqno > 1 && (
            <a href={`#/block/${block.workchain}/${block.shard}/${block.seqno - 1}`}>← previous</a>
          )}{' '}
          <a href={`#/block/${block.workchain}/${block.shard}/${block.seqno + 1}`}>next →</a>
        </nav>
      }
    >
      <Fields
        rows={[
          ['Chain', <ChainName key="chain" block={block} />],
          ['Time', <When key="time" unix={block.gen_utime} />],
          ['Transactions', groupDigits(block.tx_count)],
          ['Masterchain block', <BlockLink key="master" block={block.masterchain_block_ref} />],
          [
            'Previous',
            block.prev_blocks?.map((one) => <BlockLink key={`${one.shard}${one.seqno}`} block={one} />) ??
              'none',
          ],
          ['Logical time', `${groupDigits(block.start_lt)} – ${groupDigits(block.end_lt)}`],
          flags.length > 0 && [
            'Flags',
            flags.map((name) => (
              <Badge key={name} kind="plain">
                {name}
              </Badge>
            )),
          ],
          ['Root hash', <Hash key="root" hash={block.root_hash} isFull />],
          ['File hash', <Hash key="file" hash={block.file_hash} isFull />],
          ['Random seed', <Hash key="seed" hash={block.rand_seed} isFull />],
          ['Created by', <Hash key="creator" hash={block.created_by} isFull />],
          ['Global id', block.global_id],
          ['Version', block.version],
          ['Flags as a number', block.flags],
          ['Catchain seqno', groupDigits(block.gen_catchain_seqno)],
          ['Validator list', block.validator_list_hash_short],
          ['Oldest masterchain reference', groupDigits(block.min_ref_mc_seqno)],
          ['Previous key block', groupDigits(block.prev_key_block_seqno)],
          ['Vertical seqno', block.vert_seqno],
          ['Vertical seqno raised', block.vert_seqno_incr ? 'yes' : 'no'],
          block.master_ref_seqno != null && ['Masterchain reference', groupDigits(block.master_ref_seqno)],
        ]}
      />
    </Panel>
  );
}
