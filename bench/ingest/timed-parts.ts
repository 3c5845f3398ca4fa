import type { Bus, ConsumerOptions, LogConsumer } from '../../src/log/port.ts';
import type { InsertBytes, StoreClient } from '../../src/platform/clickhouse/client.ts';
import type { Stopwatch } from '../common/stopwatch.ts';

/** The client, with the time of inserts taken: making the bytes apart from waiting for the store. */
export function timedClient(client: StoreClient, times: Stopwatch): StoreClient {
  return {
    ...client,
    insertNative: (table, bytes, options) =>
      times.wait('insert', () => client.insertNative(table, timedBytes(bytes, times), options)),
    command: (sql, options) =>
      options.route.endsWith('/confirmed')
        ? times.wait('confirmed row', () => client.command(sql, options))
        : client.command(sql, options),
  };
}

function timedBytes(bytes: InsertBytes, times: Stopwatch): InsertBytes {
  if (bytes instanceof Uint8Array || !(Symbol.iterator in bytes)) return bytes;
  return timedIteration(bytes, times);
}

function* timedIteration(bytes: Iterable<Uint8Array>, times: Stopwatch): Generator<Uint8Array> {
  const iterator = bytes[Symbol.iterator]();
  while (true) {
    const next = times.measure('encode', () => iterator.next());
    if (next.done) return;
    yield next.value;
  }
}

/** The consumer, with the time of reading and of the journal taken. */
export function timedBus(bus: Bus, times: Stopwatch): Bus {
  const consumer = async (options: ConsumerOptions) => timedConsumer(await bus.consumer(options), times);
  return new Proxy(bus, {
    get: (target, name) => {
      if (name === 'consumer') return consumer;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function timedConsumer(consumer: LogConsumer, times: Stopwatch): LogConsumer {
  return {
    group: consumer.group,
    claim: () => consumer.claim(),
    left: (lease) => consumer.left(lease),
    read: (lane, from, limit) => times.wait('log read', () => consumer.read(lane, from, limit)),
    waitForData: (ms) => consumer.waitForData(ms),
    journal: (lease, entry) => times.wait('journal', () => consumer.journal(lease, entry)),
    pending: (lease) => consumer.pending(lease),
    confirm: (lease, entry) => times.wait('confirm', () => consumer.confirm(lease, entry)),
    commit: (lease, next) => consumer.commit(lease, next),
    release: () => consumer.release(),
  };
}
