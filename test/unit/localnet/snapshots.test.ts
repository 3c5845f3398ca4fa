import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ChainSnapshots } from '../../../src/localnet/snapshots/chain-snapshots.ts';
import { makeRequestedChange } from '../../../src/localnet/snapshots/make-change.ts';
import { SnapshotFolder } from '../../../src/localnet/snapshots/snapshot-folder.ts';

const session = { log: pino({ enabled: false }) };
let data: string;

/** Content of a file of the data directory; sets it if `text` is given. */
function log(text?: string): string {
  const file = join(data, 'log/log.sqlite');
  if (text !== undefined) writeFileSync(file, text);
  return readFileSync(file, 'utf8');
}

/** Requests a change as a running chain does, then does what the next process does. */
async function change(request: (snapshots: ChainSnapshots) => unknown): Promise<void> {
  await new Promise<void>((resolve) => {
    request(new ChainSnapshots(data, resolve));
  });
  await makeRequestedChange(data, session);
}

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'tonhouse-snapshots-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  for (const name of ['log', 'localnet', 'code']) mkdirSync(join(data, name));
  writeFileSync(join(data, 'localnet/control.json'), '{}');
  log('one');
});

describe('a requested change', () => {
  it('stores the data directory and puts it back, again and again', async () => {
    await change((snapshots) => snapshots.take());
    expect(readdirSync(join(data, 'snapshots/snapshot-1')).sort()).toEqual(['localnet', 'log']);
    expect(existsSync(join(data, 'snapshots/snapshot-1/localnet/control.json'))).toBe(false);
    for (const text of ['two', 'three']) {
      log(text);
      writeFileSync(join(data, 'rates.sqlite'), text);
      await change((snapshots) => snapshots.revert('snapshot-1'));
      expect(log()).toBe('one');
      expect(readdirSync(data).sort()).toEqual(['code', 'localnet', 'log', 'snapshots']);
    }
    expect(new SnapshotFolder(data).last()).toEqual({
      ...{ number: 3, kind: 'revert', id: 'snapshot-1', error: null },
    });
    expect(new SnapshotFolder(data).requested()).toBeNull();
  });

  it('is made after a crash in the middle', async () => {
    await change((snapshots) => snapshots.take());
    log('two');
    const folder = new SnapshotFolder(data);
    folder.request({ number: 2, kind: 'revert', id: 'snapshot-1' });
    // The process before has copied a part, and has removed a part.
    mkdirSync(folder.getPath('reverted.new'));
    writeFileSync(join(folder.getPath('reverted.new'), 'stray'), '');
    rmSync(join(data, 'log'), { recursive: true });
    await makeRequestedChange(data, session);
    expect(log()).toBe('one');
    expect(existsSync(join(data, 'stray'))).toBe(false);
  });

  it('leaves the chain as it is if it fails', async () => {
    await change((snapshots) => snapshots.take());
    log('two');
    rmSync(join(data, 'snapshots/snapshot-1'), { recursive: true });
    new SnapshotFolder(data).request({ number: 2, kind: 'revert', id: 'snapshot-1' });
    await makeRequestedChange(data, session);
    expect(log()).toBe('two');
    expect(new SnapshotFolder(data).last()).toMatchObject({
      number: 2,
      error: expect.stringContaining('ENOENT'),
    });
  });
});

describe('a request', () => {
  it('names the snapshots if the id is none of them', async () => {
    const snapshots = new ChainSnapshots(data, () => {});
    expect(() => snapshots.revert('snapshot-1')).toThrow('expected a snapshot, but there is none');
    await change((one) => one.take());
    await change((one) => one.take());
    for (const id of ['snapshot-3', '../log', 'snapshot-01', '', 7, undefined, { id: 'snapshot-1' }])
      expect(() => snapshots.revert(id)).toThrow('id: expected one of snapshot-1, snapshot-2, found ');
    expect(new SnapshotFolder(data).requested()).toBeNull();
  });

  it('is refused while the chain restarts for another one', () => {
    const snapshots = new ChainSnapshots(data, () => {});
    snapshots.take();
    expect(() => snapshots.take()).toThrow('the chain restarts');
  });
});
