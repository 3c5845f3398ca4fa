import { describe, expect, it } from 'vitest';
import { BodyTags } from '../../../../../src/api/http/caching/body-tags.ts';

describe('tags of bodies', () => {
  it('are made once for bytes that several answers share', () => {
    const hashed: (string | Uint8Array)[] = [];
    const tags = new BodyTags((body) => `${hashed.push(body)}`);
    const [one, two] = [Buffer.from('{}'), Buffer.from('{}')];
    expect([tags.of(one), tags.of(one), tags.of(two), tags.of(one)]).toEqual([
      'W/"1"',
      'W/"1"',
      'W/"2"',
      'W/"1"',
    ]);
    expect(hashed).toEqual([one, two]);
  });

  it('follow only from the bytes', () => {
    const tag = new BodyTags().of(Buffer.from('{"a":1}'));
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/);
    expect(new BodyTags().of('{"a":1}')).toBe(tag);
    expect(new BodyTags().of(Buffer.from('{"a":2}'))).not.toBe(tag);
  });
});
