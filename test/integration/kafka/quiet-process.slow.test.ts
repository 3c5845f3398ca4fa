import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { type KafkaLog, kafkaLog } from '../../contract/log/kafka-log.ts';
import { pause } from '../../contract/log/log-fixture.ts';
import { describeWithOwnBroker } from '../../helpers/kafka-broker.ts';

describeWithOwnBroker('a process with a bus', (broker) => {
  let log: KafkaLog;
  afterEach(() => log.dispose());

  /** Runs the child through `meanwhile`; what it wrote to stderr, how it ended, and its CPU time in ms. */
  async function run(environment: NodeJS.ProcessEnv, meanwhile: () => Promise<unknown>) {
    log = await kafkaLog(broker().brokers);
    const child = fork(join(import.meta.dirname, 'idle-child.ts'), [JSON.stringify(log.options)], {
      execArgv: [],
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    try {
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const exited = once(child, 'exit');
      await Promise.race([once(child, 'message'), exited]);
      await meanwhile();
      child.send('stop');
      const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
      const [code] = await exited;
      return { stderr, code, cpuMs: (usage.user + usage.system) / 1_000 };
    } finally {
      child.kill('SIGKILL');
    }
  }

  it.each([{ NODE_ENV: 'test' }, { NODE_ENV: 'production' }])(
    'is quiet, idle, and ends when the bus is closed (%o)',
    async (environment) => {
      const { stderr, code, cpuMs } = await run(environment, () => pause(3_000));
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(cpuMs).toBeLessThan(3_000);
    },
  );

  it('survives that the broker is killed and comes back, without a word of kafkajs', async () => {
    const { stderr, code } = await run({}, async () => {
      await broker().kill();
      await pause(2_000);
      await broker().start();
      await pause(1_000);
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });
});
