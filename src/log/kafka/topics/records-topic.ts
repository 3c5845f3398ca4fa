import type { LaneBounds, LogRecord, ReadLimit } from '../../port.ts';
import { atOffsets, readRecords } from '../reader/read-records.ts';
import type { RegistryPorts } from './topic-registry.ts';

/** A small topic of single records, one lane: its offsets are Kafka's own. */
export class RecordsTopic {
  readonly kind = 'records';
  readonly name: string;
  readonly lanes = 1;
  readonly #ports: RegistryPorts;
  readonly #kafkaName: string;

  constructor(name: string, ports: RegistryPorts) {
    this.name = name;
    this.#ports = ports;
    this.#kafkaName = ports.settings.data(name);
  }

  async bounds(): Promise<readonly LaneBounds[]> {
    const first = await this.#offset('earliest');
    return [{ lane: 0, first, next: await this.#offset('latest') }];
  }

  async end(): Promise<number> {
    return this.#offset('latest');
  }

  async read(lane: number, from: number, limit: ReadLimit): Promise<readonly LogRecord[]> {
    const [bounds] = await this.bounds();
    if (lane !== 0 || !bounds || from >= bounds.next) return [];
    const range = { lane, first: Math.max(from, bounds.first), next: bounds.next };
    return readRecords(this.#ports, { topic: this.#kafkaName, asLogRecord: atOffsets }, range, limit);
  }

  async stopped(): Promise<void> {}

  #offset(end: 'earliest' | 'latest'): Promise<number> {
    const { brokerRetry, reader } = this.#ports;
    return brokerRetry.run(`offsets of ${this.name}`, () => reader.offset(this.#kafkaName, 0, end));
  }
}
