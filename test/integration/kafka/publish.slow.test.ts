import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { KafkaBusOptions } from '../../../src/log/kafka/kafka-options.ts';
import { PUBLISHED } from '../../../src/projections/publish/published.ts';
import { readTable } from '../../../src/ton/columns/column-reader.ts';
import { kafkaLog } from '../../contract/log/kafka-log.ts';
import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import type { ReadRecord } from '../../helpers/kafka-reader.ts';
import { type RunningMain, startMain } from '../../helpers/run-main.ts';
import { describeWithData } from '../../helpers/shared-data.ts';
import { allHaveLanes, expectOnce, isPublished, pidOf, publishEnvironment, until } from './published-log.ts';

const PROJECT = join(import.meta.dirname, '../../..');
const TEST_MS = 600_000;

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const textOf = ({ partition, offset, key }: ReadRecord) => `${partition} ${offset} ${key}`;

function hasKcat(): boolean {
  return spawnSync('kcat', ['-V'], { stdio: 'ignore' }).status === 0;
}

/** Lines that kcat prints of a topic: partition, offset and key. */
function kcatLines({ brokers, prefix }: KafkaBusOptions, topic: string): string[] {
  const arguments_ = ['-C', '-b', brokers.join(','), '-t', `${prefix}.${topic}`, '-e', '-q'];
  const { stdout, stderr, status } = spawnSync(
    'kcat',
    [...arguments_, '-X', 'isolation.level=read_committed', '-f', '%p %o %k\\n'],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  expect(status, stderr).toBe(0);
  return stdout.split('\n').filter((line) => line !== '');
}

/** The example of docs/topics.md, unchanged except for the addresses. */
function runExample({ brokers, prefix }: KafkaBusOptions, topic: string): Fields[] {
  const page = readFileSync(join(PROJECT, 'docs/topics.md'), 'utf8');
  const example = page.slice(page.indexOf('## An example'));
  const code = /```js\n([\s\S]*?)```/.exec(example)?.[1] ?? '';
  const command = (/```console\n\$ (.*)\n```/.exec(example)?.[1] ?? '')
    .replace('kafka:9092', brokers.join(','))
    .replace('tonhouse.transactions', `${prefix}.${topic}`)
    .replace('npx node read-topic.mjs', '"$NODE" --input-type=module --eval "$CODE"');
  expect(command).toContain(`-t ${prefix}.${topic}`);
  expect(command).toContain('"$CODE"');
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], {
    cwd: PROJECT,
    env: { PATH: process.env.PATH, NODE: process.execPath, CODE: code },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  expect(status, stderr).toBe(0);
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Fields);
}

type Fields = Record<string, unknown>;

/** The key of a record, from its value. */
const nameOf: Record<(typeof PUBLISHED)[number]['topic'], (fields: Fields) => string> = {
  blocks: ({ workchain, shard, seqno }) => `(${workchain},${shard},${seqno})`,
  transactions: ({ hash }) => `${hash}`,
  messages: ({ hash, side, tx_lt }) => `${hash}:${side}:${tx_lt}`,
  'account-states': ({ workchain, account, lt, origin }) =>
    `${workchain}:${account}:${lt}${origin === 'block' ? '' : `:${origin}`}`,
};

await describeWithKafka('the typed topics', (brokers) => {
  describeWithData('of the genesis packs', (data) => {
    it(
      'have every record once, though a publisher is killed in the middle',
      async () => {
        const kafka = await kafkaLog(brokers());
        // The second publisher's lanes stay its own while it is paused.
        const environment = { ...publishEnvironment(kafka.options), TONHOUSE_SESSION_MS: '10000' };
        const source = `archive:${join(data, 'blocks/packs')}`;
        const running: RunningMain[] = [];
        const start = (...args: string[]) => {
          const main = startMain(args, environment);
          running.push(main);
          return main;
        };
        try {
          const made = start('topics', source);
          expect(await made.ended, made.text.stderr).toBe(0);
          for (const { topic } of PUBLISHED) expect(made.text.stdout).toContain(`.${topic}  partitions 4`);
          const [first, second] = [start('publish'), start('publish')];
          const bus = await kafka.open();
          const laneOwners = async () => (await bus.lag()).map(({ owner }) => pidOf(owner));
          await until(
            'two publishers share the lanes',
            async () => {
              const owners = await laneOwners();
              const lanesOf = ({ child }: RunningMain) => owners.filter((pid) => pid === child.pid).length;
              return lanesOf(first) === 2 && lanesOf(second) === 2;
            },
            running,
          );
          second.child.kill('SIGSTOP');
          const capture = start('capture', source);
          await until(
            'some is published',
            async () =>
              (await bus.lag()).some(
                ({ owner, committed }) => pidOf(owner) === first.child.pid && committed > 0,
              ),
            running,
          );
          expect(await isPublished(bus), 'the lanes of a paused publisher are published').toBe(false);
          first.child.kill('SIGKILL');
          second.child.kill('SIGCONT');
          expect(await capture.ended, capture.text.stderr).toBe(0);
          const third = start('publish');
          await until('everything is published', () => isPublished(bus), running);
          await until('both share the lanes', () => allHaveLanes(bus, [second, third]), running);
          for (const { child, ended, text } of [second, third]) {
            child.kill('SIGTERM');
            expect(await ended, text.stderr).toBe(0);
          }

          const { columns, records } = await expectOnce(bus, kafka.options);
          const keysOf = (topic: string) => (records.get(topic) ?? []).map(({ key }) => key).sort();
          expect([keysOf('blocks').length, keysOf('transactions').length]).toEqual([299, 1_087]);
          const transactions = readTable<{ hash: 'FixedString(32)' }>(columns.tables.transactions);
          expect(keysOf('transactions')).toEqual(transactions.map(({ hash }) => hex(hash)).sort());

          if (!hasKcat()) console.log('skipped: kcat and the example of docs/topics.md: kcat is not here');
          else {
            for (const { topic } of PUBLISHED) {
              const places = (records.get(topic) ?? []).map(textOf).sort();
              expect(kcatLines(kafka.options, topic).sort()).toEqual(places);
              expect(runExample(kafka.options, topic).map(nameOf[topic]).sort()).toEqual(keysOf(topic));
            }
          }
        } finally {
          for (const { child } of running) child.kill('SIGKILL');
          await Promise.all(running.map(({ ended }) => ended));
          await kafka.dispose();
        }
      },
      TEST_MS,
    );
  });
});
