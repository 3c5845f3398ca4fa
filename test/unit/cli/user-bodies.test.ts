import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBodies } from '../../../src/cli/compose/user-bodies.ts';
import { UsageError } from '../../../src/platform/errors/error-kinds.ts';

describe('--abi', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tonhouse-abi-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  it('adds the layouts of its files', () => {
    write('a.tlb', 'vote#11223344 choice:uint8 = InternalMsgBody;');
    write('b.abi', JSON.stringify({ types: [{ name: 'Bid', header: 0x55667788, fields: [] }] }));
    write('README.md', 'not looked at');
    const bodies = openBodies(folder);
    expect([0x11223344, 0x55667788, 0x0f8a7ea5].map((op) => bodies.getName(op))).toEqual([
      'vote',
      'Bid',
      'jetton_transfer',
    ]);
    expect(openBodies(undefined).getName(0x11223344)).toBe(null);
  });

  it('names the file and the line of what it cannot use', () => {
    expect(() => openBodies(folder)).toThrow(/no \.tlb or \.abi file/);
    expect(() => openBodies(join(folder, 'nowhere'))).toThrow(/ENOENT/);
    write('a.tlb', '// first line\nvote choice:uint8 = InternalMsgBody;');
    expect(() => openBodies(folder)).toThrow(/a\.tlb:2: vote has no tag/);
    expect(() => openBodies(folder)).toThrow(UsageError);
  });
});
