import { describe, expect, it } from 'vitest';
import { durableDisk, type FolderNode, type PickMoment } from '../../simulation/power-cut/recorded-disk.ts';

const lines = (...events: readonly string[]) =>
  `${events.map((event) => event.replaceAll(' ', '\t')).join('\n')}\n`;
const atSync: PickMoment = (synced) => synced;

/** Paths with the synced size of each file. */
function contents(record: string, base = '/d', pick = atSync): Record<string, number> {
  const { root, sizes } = durableDisk(record, '/d', base, pick);
  const found: Record<string, number> = {};
  const walk = (folder: FolderNode, path: string) => {
    for (const [name, node] of folder.children)
      if (node.kind === 'folder') walk(node, `${path}/${name}`);
      else found[`${path}/${name}`] = sizes.get(node.inode) ?? 0;
  };
  walk(root, '');
  return found;
}

describe('what is on the disk after a power cut', () => {
  it('is nothing that was made after the last sync, and no contents that were not synced', () => {
    expect(contents(lines('C /d/a 1', 'C /d/b 2', 'S 1 10', 'C /d/c 3'))).toEqual({ '/a': 10, '/b': 0 });
  });

  it('may be any name that was made later', () => {
    const record = lines('C /d/a 1', 'S 1 10', 'C /d/c 3', 'U /d/a');
    expect(contents(record, '/d', (synced) => synced + 1)).toEqual({ '/a': 10, '/c': 0 });
    expect(contents(record, '/d', (_, count) => count)).toEqual({ '/c': 0 });
  });

  it('follows names of folders that are moved, exchanged and linked', () => {
    const record = lines(
      'M /d/x 1',
      'C /d/x/a 2',
      'R /d/x /d/y',
      'L /d/y/a /d/b',
      'C /d/c 3',
      'E /d/b /d/c',
      'a 2 5',
      'A',
    );
    expect(contents(record)).toEqual({ '/y/a': 5, '/b': 0, '/c': 5 });
  });

  it('forgets contents that were cut, and those of an inode that is used again', () => {
    expect(
      contents(lines('C /d/a 1', 'S 1 10', 'T 1 4', 'C /d/b 2', 'S 2 8', 'U /d/b', 'C /d/e 2', 'S 1 6')),
    ).toEqual({
      '/a': 6,
      '/e': 0,
    });
  });

  it('commits nothing of one file system by syncs of the other', () => {
    const record = lines(
      'M /d/log 1',
      'M /d/clickhouse 2',
      'C /d/log/a 3',
      'S 3 7',
      'C /d/clickhouse/b 4',
      'a 3 9',
      'a 4 9',
      'A',
      'C /d/log/c 5',
    );
    expect(contents(record, '/d/log')).toEqual({ '/log/a': 7 });
    expect(contents(record, '/d/clickhouse')).toMatchObject({ '/clickhouse/b': 9 });
  });
});
