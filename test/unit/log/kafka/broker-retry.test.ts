import { describe, expect, it } from 'vitest';
import { BusClosedError } from '../../../../src/log/errors.ts';
import { BrokerRetry, Final } from '../../../../src/log/kafka/client/broker-retry.ts';
import { BrokerRefusedError, BrokerUnavailableError } from '../../../../src/log/kafka/client/errors.ts';
import { checkOptions, SILENT } from '../../../../src/log/kafka/kafka-options.ts';

function persistence(unavailableMs: number) {
  const closed = new AbortController();
  const options = { brokers: ['there:1'], unavailableMs, log: SILENT, closed: closed.signal };
  return { closed, brokerRetry: new BrokerRetry(options) };
}

const failing = (error: Error) => async () => {
  throw error;
};
const caused = (error: object) => new Error('outer', { cause: Object.assign(new Error('inner'), error) });

describe('persistence', () => {
  it('tries again until it works', async () => {
    let tries = 0;
    const result = await persistence(5_000).brokerRetry.run('work', async () => {
      if (++tries < 4) throw new Error('not yet');
      return tries;
    });
    expect(result).toBe(4);
  });

  it('gives up in the end, and reports the operation, the broker and the reason', async () => {
    const error = await persistence(60)
      .brokerRetry.run('append', failing(caused({})))
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(BrokerUnavailableError);
    expect((error as Error).message).toMatch(/^append: Kafka at there:1 failed for \d+ s: inner$/);
  });

  it.each([{ type: 'TOPIC_AUTHORIZATION_FAILED' }, { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }])(
    'does not retry a final refusal: %o',
    async (facts) => {
      const run = persistence(60_000).brokerRetry.run('work', failing(caused(facts)));
      await expect(run).rejects.toBeInstanceOf(BrokerRefusedError);
    },
  );

  it('hands on what the attempt itself calls final', async () => {
    const reason = new TypeError('mine');
    await expect(persistence(60_000).brokerRetry.run('work', failing(new Final(reason)))).rejects.toBe(
      reason,
    );
  });

  it('ends with the bus, also within an attempt that never answers', async () => {
    const { closed, brokerRetry: persisting } = persistence(60_000);
    const hanging = persisting.run('work', () => new Promise(() => {}));
    const retrying = persisting.run('work', failing(new Error('no')));
    setTimeout(() => closed.abort(), 20);
    await expect(hanging).rejects.toBeInstanceOf(BusClosedError);
    await expect(retrying).rejects.toBeInstanceOf(BusClosedError);
  });
});

describe('options', () => {
  const good = { brokers: ['a:9092'], prefix: 'tonhouse.test' };
  it.each([
    ['brokers', { ...good, brokers: [] }],
    ['brokers', { ...good, brokers: ['a'] }],
    ['prefix', { ...good, prefix: '' }],
    ['prefix', { ...good, prefix: '_a' }],
    ['tls', { ...good, tls: { certFile: 'x' } }],
    ['unavailableMs', { ...good, unavailableMs: 0 }],
  ])('of %s that cannot be used are refused by name', (option, options) => {
    expect(() => checkOptions(options)).toThrow(`Kafka option ${option}`);
  });

  it('that can be used are taken', () => {
    expect(() => checkOptions(good)).not.toThrow();
  });
});
