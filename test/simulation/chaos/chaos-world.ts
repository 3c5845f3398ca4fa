import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OwnedBroker, startOwnBroker } from '../../helpers/kafka-process.ts';
import { makeTokenPacks } from '../../helpers/token-packs.ts';
import type { Picture } from '../common/store-picture.ts';
import { LogDisk } from './log-disk.ts';
import { OwnStore } from './own-store.ts';

/** A chain to index, and what an undisturbed index makes of it. */
export interface Corpus {
  readonly name: string;
  readonly source: string;
  /** Value of `--network`, if the source does not contain it. */
  readonly network?: string;
  /** Files of states that the index begins with. */
  readonly states?: readonly string[];
  /** If it has contracts to detect: the servers that run get methods for it, and its blocks. Default: no servers. */
  readonly served?: { readonly servers: number; readonly network: string; readonly blocks: number };
}

export interface KnownCorpus extends Corpus {
  readonly label: string;
  /** Tables of the store, and typed topics. */
  readonly truth: Picture;
  readonly blocks: number;
}

/** Private chains that begin in mid-chain need some zerostate: which one is not looked at. */
const PRIVATE_A = `private_a=${'0a'.repeat(32)}:${'0b'.repeat(32)}`;

/** The two consecutive chains of the shared data. */
export function sharedCorpora(data: string): Corpus[] {
  return [
    { name: 'mainnet 1…99', source: `archive:${join(data, 'blocks/packs')}` },
    { name: 'private-a', source: `files:${join(data, 'blocks/private-a')}`, network: PRIVATE_A },
  ];
}

/** A local chain whose tokens only get methods recognise, made in a folder. */
export async function tokenCorpus(folder: string): Promise<Corpus> {
  const { directory, states, blocks } = await makeTokenPacks(folder);
  const network = 'localnet';
  const served = { servers: 2, network, blocks };
  return { name: 'detected tokens', source: `archive:${directory}`, network, states, served };
}

/** A broker, a store and what is between them and the stages. */
export interface ChaosWorld {
  readonly broker: OwnedBroker;
  readonly disk: LogDisk;
  readonly store: OwnStore;
  /** Folder for the output of the stages. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Deleted topics give their room back at once: the disk is small. */
const BROKER = { 'file.delete.delay.ms': '500', 'log.index.size.max.bytes': '65536' };

export async function startWorld(): Promise<ChaosWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'tonhouse-chaos-'));
  const disk = LogDisk.make();
  const parts: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    await Promise.allSettled(parts.map((part) => part.stop()));
    disk.remove();
  };
  try {
    const broker = await startOwnBroker({ properties: { ...BROKER, 'log.dirs': join(disk.folder, 'data') } });
    parts.push(broker);
    const store = await OwnStore.start();
    parts.push(store);
    return { broker, disk, store, folder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
