import { describeWithKafka } from '../../helpers/kafka-broker.ts';
import { sampled } from '../../helpers/long-run.ts';
import { busContract } from './bus-contract.ts';
import { kafkaLog } from './kafka-log.ts';
import { processesContract } from './processes-contract.ts';

await describeWithKafka('Kafka', (brokers) => {
  const factory = () => kafkaLog(brokers());
  busContract('the log in Kafka', factory);
  processesContract('the log in Kafka', factory, { sessionMs: 400, seeds: sampled([1, 2]), kills: 5 });
});
