import type { Command } from 'commander';
import { PROJECTIONS, TOPIC_PROJECTIONS } from '../../../pipelines/projections.ts';
import { RAW_BLOCKS } from '../../../pipelines/raw-blocks.ts';
import { DEAD_LETTERS } from '../../engine/dead-letters/dead-letter-sink.ts';
import { getTransform } from '../../engine/lanes/topic-member.ts';
import type { KafkaBusOptions } from '../../log/kafka/kafka-options.ts';
import { ensureKafkaTopics, type TopicReport } from '../../log/kafka/kafka-topics.ts';
import type { LogIdentity } from '../../log/port.ts';
import { resolveSettings } from '../../platform/config/resolve-settings.ts';
import { SettingError } from '../../platform/config/setting.ts';
import { SETTINGS } from '../../platform/config/settings.ts';
import { printable } from '../../platform/observability/printable.ts';
import { printAnswer } from '../../platform/observability/terminal.ts';
import { openLog, requireIdentity } from '../compose/data-directory.ts';
import { openStart } from '../compose/source-start.ts';
import { readStartInput } from '../compose/start-input.ts';
import { EXIT } from '../exit-codes.ts';
import { runSession } from '../session.ts';
import { LOCALNET_SETTINGS, LOG_SETTINGS, START_SETTINGS } from '../setting-groups.ts';
import { addSettings } from '../setting-options.ts';

const TOPICS_SETTINGS = [...LOG_SETTINGS, ...START_SETTINGS, ...LOCALNET_SETTINGS] as const;

/** Topics that the stages use. */
const TOPICS = [
  { name: RAW_BLOCKS, kind: 'steps' as const },
  ...PROJECTIONS.flatMap(({ feeds }) => (feeds ? [{ name: feeds.topic, kind: 'steps' as const }] : [])),
  { name: DEAD_LETTERS, kind: 'records' as const },
];

/** `tonhouse topics [SOURCE]`: makes a log on Kafka for the source's network, or checks the topics of one. */
export function topicsCommand(command: Command, exit: (code: number) => void): void {
  command
    .argument('[SOURCE]', 'source that sets the network of a new log: archive:PATH, files:PATH or localnet')
    .option('--check', 'change nothing; exit code 1 if there is no log, or a topic has other settings')
    .action(async (source: string | undefined, flags: Record<string, unknown>) =>
      exit(await topics(source, flags)),
    );
  addSettings(command, TOPICS_SETTINGS);
}

async function topics(source: string | undefined, flags: Record<string, unknown>): Promise<number> {
  const settings = resolveSettings(TOPICS_SETTINGS, flags);
  if (settings.kafka === undefined)
    throw new SettingError('--kafka', { found: '', allowed: SETTINGS.kafka.allowed, origin: 'default' });
  return runSession(flags, async (session) => {
    const named = flags.check || source === undefined ? null : { ...settings, source };
    const input = named && (await readStartInput(settings.data, named, session));
    const log = await openLog(settings.data, session, settings);
    const identity =
      named && input ? (await openStart(log, named, session, input)).identity : await requireIdentity(log);
    const reports = await ensureKafkaTopics(log.kafka as KafkaBusOptions, {
      identity,
      topics: TOPICS,
      transforms: TOPIC_PROJECTIONS.map(getTransform),
    });
    printAnswer(text(identity, reports));
    return reports.every(({ differences }) => differences.length === 0) ? EXIT.ok : EXIT.failed;
  });
}

function text({ network, lanes, epochSize }: LogIdentity, reports: readonly TopicReport[]): string {
  const lines = reports.flatMap(({ topic, partitions, copies, differences }) => [
    `${differences.length === 0 ? 'ok  ' : 'FAIL'} ${topic}  partitions ${partitions}, copies ${copies}`,
    ...differences.map(({ setting, expected, found }) =>
      printable(`       ${setting}: expected ${expected}, found ${found}`),
    ),
  ]);
  return `network ${network}, lanes ${lanes}, epoch size ${epochSize}\n${lines.join('\n')}\n`;
}
