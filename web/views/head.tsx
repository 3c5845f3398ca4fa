import { useEffect, useState } from 'preact/hooks';
import { toUrl } from '../api/request.ts';
import type { Block, Health } from '../api/types.ts';
import { type Loaded, useAnswer, useJson } from '../api/use-answer.ts';
import { groupDigits } from '../format/amount.ts';
import { toBytes } from '../format/bytes.ts';
import { toDuration } from '../format/time.ts';
import { Panel, Sources, Table } from '../parts/layout.tsx';
import { Failure, Notice, Shown } from '../parts/notice.tsx';
import { Badge } from '../parts/text.tsx';
import { TimeChart } from '../parts/time-chart.tsx';
import { BlockList, blockKey } from './block-list.tsx';
import { Replays } from './replays.tsx';
import { countRates, SPAN_SECONDS, toRate } from './transaction-rate.ts';

const BLOCKS = { limit: 100, sort: 'desc' } as const;
const BLOCKS_POLL_MS = 2_000;
const HEALTH_POLL_MS = 5_000;
/** Blocks that are kept for the chart. */
const MAX_BLOCKS = 1_500;
const SHOWN_BLOCKS = 20;

/** The newest blocks, rates, and the state of the index. */
export function HeadView() {
  const loaded = useAnswer('/api/v3/blocks', BLOCKS, { pollMs: BLOCKS_POLL_MS });
  const health = useJson<Health>('/healthz', { pollMs: HEALTH_POLL_MS });
  const blocks = useCollected(loaded.answer?.blocks as readonly Block[] | undefined);
  return (
    <>
      <h1>Head</h1>
      {loaded.error && <Failure error={loaded.error} />}
      <Figures blocks={blocks} health={health.answer} />
      <Panel title="Transactions per second">
        <TimeChart points={countRates(blocks)} label="transactions per second" />
      </Panel>
      <div class="columns">
        <Panel title="Newest blocks">
          {blocks.length === 0 ? (
            <Notice>{loaded.answer ? 'No block is indexed yet.' : 'Waiting for the first answer…'}</Notice>
          ) : (
            <BlockList label="Newest blocks" blocks={blocks.slice(0, SHOWN_BLOCKS)} />
          )}
        </Panel>
        <Projections health={health} />
      </div>
      <Replays replays={health.answer?.replays ?? []} />
      <Sources urls={[toUrl('/api/v3/blocks', BLOCKS), '/healthz']} />
    </>
  );
}

/** The blocks of all answers until now, newest first. */
function useCollected(newest: readonly Block[] | undefined): readonly Block[] {
  const [blocks, setBlocks] = useState<readonly Block[]>([]);
  useEffect(() => {
    if (!newest) return;
    setBlocks((before) => {
      const known = new Set(newest.map(blockKey));
      return [...newest, ...before.filter((block) => !known.has(blockKey(block)))].slice(0, MAX_BLOCKS);
    });
  }, [newest]);
  return blocks;
}

function Figures({ blocks, health }: { readonly blocks: readonly Block[]; readonly health: Health | null }) {
  const head = blocks.find(({ workchain }) => workchain === -1);
  const age = head ? Date.now() / 1_000 - Number(head.gen_utime) : null;
  return (
    <ul class="figures">
      <Figure name="Masterchain block" value={head ? groupDigits(head.seqno) : '–'} />
      <Figure name="Lag" value={age === null ? '–' : toDuration(Math.max(0, age))} />
      <Figure name={`Transactions per second, last ${SPAN_SECONDS} s`} value={toRate(blocks)} />
      <Figure
        name="Dead letters"
        value={health?.dead_letters == null ? '–' : groupDigits(health.dead_letters)}
      />
      <Figure name="Store" value={health?.store_bytes === undefined ? '–' : toBytes(health.store_bytes)} />
    </ul>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <li>
      <span class="value">{value}</span>
      <span class="name">{name}</span>
    </li>
  );
}

function Projections({ health }: { readonly health: Loaded<Health> }) {
  const status = health.error ? 'unknown' : health.answer?.status;
  return (
    <Panel
      title="Projections"
      aside={status && <Badge kind={status === 'ok' ? 'good' : 'bad'}>{status}</Badge>}
    >
      <Shown loaded={health}>
        {({ projections }) => (
          <Table
            label="Projections"
            heads={['Name', 'State', '#Version', '#Blocks', '#Behind']}
            rows={Object.entries(projections).map(([name, one]) => ({
              key: name,
              cells: [
                name,
                one.state,
                one.version ?? '–',
                one.visible ? `${groupDigits(one.visible.first)} – ${groupDigits(one.visible.last)}` : '–',
                one.steps_behind ?? '–',
              ],
            }))}
          />
        )}
      </Shown>
    </Panel>
  );
}
