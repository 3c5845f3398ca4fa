import { describe, expect, it } from 'vitest';
import { PublishedSteps, PublishNoteError } from '../../../../src/engine/lanes/published-steps.ts';

const at = (position: number, epoch = 0) => ({ epoch, position });

describe('PublishedSteps', () => {
  it('knows the steps that were added, and no others, however they come', () => {
    const steps = PublishedSteps.parse('');
    const added = [5, 6, 7, 12, 4, 9, 8, 10, 11, 20];
    for (const position of added) {
      expect(steps.has(at(position))).toBe(false);
      steps.add(at(position));
    }
    const known = Array.from({ length: 30 }, (_, position) => position).filter((position) =>
      steps.has(at(position)),
    );
    expect(known).toEqual([...added].sort((a, b) => a - b));
    // 4 to 12 have grown together.
    expect(steps.toString()).toBe('[[0,[[4,12],[20,20]]]]');
  });

  it('keeps epochs apart, and comes back from its text', () => {
    const steps = PublishedSteps.parse('');
    steps.add(at(5, 0));
    steps.add(at(5_000, 3));
    const again = PublishedSteps.parse(String(steps));
    expect([again.has(at(5, 0)), again.has(at(5, 3)), again.has(at(5_000, 3))]).toEqual([true, false, true]);
    again.add(at(6, 0));
    expect(String(again)).toBe('[[0,[[5,6]]],[3,[[5000,5000]]]]');
  });

  it('refuses a text that is not its own', () => {
    expect(() => PublishedSteps.parse('progress')).toThrow(PublishNoteError);
    expect(() => PublishedSteps.parse('{"v":2}')).toThrow(PublishNoteError);
  });
});
