import { appendSteps } from './append-steps.ts';
import { checkFile } from './check-files.ts';
import { committedPositions } from './committed-positions.ts';
import { execute } from './coordinate.ts';
import type { DataWaiters } from './data-waiters.ts';
import {
  type ConsumerHandle,
  claimLanes,
  commitOffset,
  confirmBatch,
  journalBatch,
  openConsumer,
  pendingBatch,
  releaseConsumer,
} from './group-member.ts';
import { readIdentity } from './identity.ts';
import type { LogStore } from './log-store.ts';
import type { Operations } from './operations.ts';
import { putRecord } from './put-record.ts';
import { readRecords } from './read-records.ts';
import { sizeOnDisk, sweepSegments, trimTopic } from './retention.ts';
import { adoptSealed } from './sealing/adopt-sealed.ts';
import { joinSealed } from './sealing/join-sealed.ts';
import { readSealed } from './sealing/read-sealed.ts';
import type { SealStep } from './sealing/seal-segment.ts';
import { finishedSegments, listSealed, sealSegments } from './sealing/seal-segments.ts';
import { listTopics, readBounds, readExtent, readLag } from './topics.ts';
import { readTail, readWriterLease, releaseWriter, takeWriter, type WriterHandle } from './writer-lease.ts';

/** Writers or consumers by the number that the calling thread knows them by. */
class Handles<Handle> {
  readonly #handles: Handle[] = [];

  add(handle: Handle): number {
    return this.#handles.push(handle) - 1;
  }

  get(id: number): Handle {
    const handle = this.#handles[id];
    if (handle === undefined) throw new RangeError(`handle ${id} of ${this.#handles.length}`);
    return handle;
  }
}

/** The port's calls on the files of one directory. */
export function createOperations(store: LogStore, waiters: DataWaiters): Operations {
  return {
    ...logOperations(store, waiters),
    ...sealOperations(store),
    ...writerOperations(store, waiters),
    ...consumerOperations(store, waiters),
  };
}

function logOperations(store: LogStore, waiters: DataWaiters) {
  return {
    identity: () => readIdentity(store),
    establish: (identity) => execute(store, 'establish', { identity }),
    topics: () => listTopics(store),
    read: (topic, lane, from, limit) => readRecords(store, { topic, lane, from }, limit),
    bounds: (topic) => readBounds(store, topic),
    highest: (topic) => readExtent(store, topic).tail,
    lag: () => readLag(store),
    put: (topic, record, value) => {
      const offset = putRecord(store, topic, record, value);
      waiters.published(topic);
      return offset;
    },
    trim: (topic, epoch) => {
      const freed = trimTopic(store, topic, epoch);
      sweepSegments(store);
      return freed;
    },
    size: () => sizeOnDisk(store),
    checkFile: (index) => checkFile(store, index),
    committedPositions: (topic, group, index) => committedPositions(store, topic, group, index),
  } satisfies Partial<Operations>;
}

function sealOperations(store: LogStore) {
  const sealings = new Handles<Generator<SealStep, void>>();
  return {
    sealed: (topic) => listSealed(store, topic),
    adoptSealed: (path) => adoptSealed(store, path),
    joinSealed: (path) => joinSealed(store, path),
    sealable: (topic) => finishedSegments(store, topic).length,
    readSealed: (topic, query) => readSealed(store, topic, query),
    openSealing: (topic) => sealings.add(sealSegments(store, topic)),
    sealOn: (id) => !sealings.get(id).next().done,
    closeSealing: (id) => void sealings.get(id).return(),
  } satisfies Partial<Operations>;
}

function writerOperations(store: LogStore, waiters: DataWaiters) {
  const writers = new Handles<WriterHandle>();
  return {
    openWriter: (topic, owner, sessionMs) => {
      const writer = takeWriter(store, topic, owner, sessionMs);
      return { id: writers.add(writer), lease: { owner, generation: writer.generation } };
    },
    writerLease: (topic) => readWriterLease(store, topic),
    tail: (id) => readTail(store, writers.get(id)),
    append: (id, steps, values) => {
      const writer = writers.get(id);
      appendSteps(store, writer, steps, values);
      if (steps.length > 0) waiters.published(writer.topic);
    },
    releaseWriter: (id) => releaseWriter(store, writers.get(id)),
  } satisfies Partial<Operations>;
}

function consumerOperations(store: LogStore, waiters: DataWaiters) {
  const consumers = new Handles<ConsumerHandle>();
  return {
    openConsumer: (options) => consumers.add(openConsumer(store, options)),
    claim: (id) => claimLanes(store, consumers.get(id)),
    consume: (id, lane, from, limit) => {
      const { topic, drained } = consumers.get(id);
      const records = readRecords(store, { topic, lane, from }, limit);
      if (records.length === 0) drained.set(lane, from);
      else drained.delete(lane);
      return records;
    },
    waitForData: (id, ms) => waiters.wait(consumers.get(id), ms),
    journal: (id, lease, entry) => journalBatch(store, consumers.get(id), lease, entry),
    pending: (id, lease) => pendingBatch(store, consumers.get(id), lease),
    confirm: (id, lease, entry) => confirmBatch(store, consumers.get(id), lease, entry),
    commit: (id, lease, next) => commitOffset(store, consumers.get(id), lease, next),
    releaseConsumer: (id) => releaseConsumer(store, consumers.get(id)),
  } satisfies Partial<Operations>;
}
