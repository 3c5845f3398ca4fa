import { describe, expect, it } from 'vitest';
import {
  chosenProjections,
  NoChainError,
  projectionsOfLog,
  UnknownProjectionError,
} from '../../../src/cli/compose/projections.ts';
import { UnmetNeedError } from '../../../src/engine/versions/begun-projections.ts';
import type { LogIdentity } from '../../../src/log/port.ts';

const names = (projections: readonly { readonly name: string }[]) => projections.map(({ name }) => name);
const identity = (continuity: string): LogIdentity => ({
  network: 'n',
  id: 'aa:bb',
  epochSize: 10,
  lanes: 1,
  facts: { continuity },
});

describe('the setting --projections', () => {
  it('takes all by default, or those that are named, needs first', () => {
    expect(names(chosenProjections('all', {}))).toEqual([
      'base',
      'activity',
      'contracts',
      'detections',
      'traces',
      'actions',
      'lake',
    ]);
    expect(names(chosenProjections(['activity', 'base'], {}))).toEqual(['base', 'activity']);
    expect(names(chosenProjections(['base'], {}))).toEqual(['base']);
  });

  it('refuses names that are unknown, and needs that are left out', () => {
    expect(() => chosenProjections(['base', 'unknown'], {})).toThrow(UnknownProjectionError);
    expect(() => chosenProjections(['activity'], {})).toThrow(UnmetNeedError);
    expect(() => chosenProjections(['base', 'traces', 'actions'], {})).toThrow(
      'projection actions needs contracts, which --projections leaves out',
    );
    expect(names(chosenProjections(['activity'], {}, true))).toEqual(['activity']);
  });

  it('omits projections in chain order for unrelated blocks, and refuses them if they are named', () => {
    const isolated = identity('isolated');
    const all = chosenProjections('all', {});
    expect(names(projectionsOfLog('all', all, identity('full')))).toEqual([
      'base',
      'activity',
      'contracts',
      'detections',
      'traces',
      'actions',
      'lake',
    ]);
    expect(names(projectionsOfLog('all', all, isolated))).toEqual(['base']);
    expect(() => projectionsOfLog(['base', 'activity'], all, isolated)).toThrow(NoChainError);
  });
});

describe('the setting --action-rules', () => {
  const actionsBy = (actionRules?: '1.2' | '1.3') =>
    chosenProjections('all', actionRules ? { actionRules } : {}).find(({ name }) => name === 'actions')!;

  it('is part of the version of actions', () => {
    expect(actionsBy('1.3').version).toBe(actionsBy('1.2').version + 1);
    expect(actionsBy().version).toBe(actionsBy('1.2').version);
  });

  it.each(['1.2', '1.3'] as const)('%s leaves a stored version the rules that it began with', (now) => {
    const written = (codeVersion: number) => actionsBy(now).ofCode!(codeVersion).version;
    const [earlier, later] = [actionsBy('1.2').version, actionsBy('1.3').version];
    expect([1, earlier, later].map(written)).toEqual([earlier, earlier, later]);
  });
});
