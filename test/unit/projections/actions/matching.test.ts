import { describe, expect, it } from 'vitest';
import { Refusal } from '../../../../src/projections/actions/body/refusal.ts';
import { Context } from '../../../../src/projections/actions/match/context.ts';
import type { Matcher } from '../../../../src/projections/actions/match/matcher.ts';
import { inOrder } from '../../../../src/projections/actions/match/matcher.ts';
import {
  anyOf,
  blockThat,
  call,
  optional,
  type Pattern,
  type Surroundings,
} from '../../../../src/projections/actions/match/pattern.ts';
import { runMatchers } from '../../../../src/projections/actions/match/walk.ts';
import { LoadedFacts } from '../../../../src/projections/actions/model/contract-facts.ts';
import type { Block, BlockKind } from '../../../../src/projections/actions/tree/block.ts';
import {
  buildBlocks,
  buildNodes,
  presentBlocks,
} from '../../../../src/projections/actions/tree/trace-tree.ts';
import { address, type Sent, traceFrom } from '../../../helpers/action-traces.ts';

const MADE: BlockKind<null> = { name: 'made', type: 'made', columns: () => ({}), details: null };
const EXCESS = 0xd53276db;

/** Everything that was found, in one block. */
const all: Surroundings['build'] = (block, found, context) =>
  context.merge({ kind: MADE, data: null, parts: [block, ...found.blocks] });

function run(root: Sent, ...patterns: Pattern[]): Context {
  const trace = traceFrom(root);
  const context = new Context(trace, buildBlocks(buildNodes(trace)), new LoadedFacts(), {
    release: '1.2',
    isTestnet: false,
  });
  runMatchers(
    patterns.map((pattern, place): Matcher => ({ name: `m${place}`, pattern })),
    context,
  );
  return context;
}

const nameOf = ({ kind, opcode }: Block): string => (kind.name === 'made' ? 'made' : String(opcode));

/** Ops of the blocks that are left, breadth first; `made` for merged ones. */
const left = ({ roots }: Context): string[] => presentBlocks(roots).map(nameOf);

/** Ops of the nodes in the first merged block. */
function madeOf({ roots }: Context): number[] {
  const made = presentBlocks(roots).find(({ kind }) => kind.name === 'made');
  return (made?.nodes ?? []).map(({ message }) => message?.opcode as number);
}

const to = (op: number, sends: readonly Sent[] = []): Sent => ({ op, to: address(op % 250), sends });

describe('one attempt', () => {
  it('offers a child rule to every child, and the rest stays in its place', () => {
    const context = run(to(1, [to(2), to(3, [to(4)]), to(2)]), call(1, { child: call(2), build: all }));
    expect(madeOf(context)).toEqual([1, 2, 2]);
    expect(left(context)).toEqual(['made', '3', '4']);
  });

  it('fails without a required child, not without an optional one', () => {
    expect(left(run(to(1, [to(3)]), call(1, { child: call(2), build: all })))).toEqual(['1', '3']);
    expect(left(run(to(1, [to(3)]), call(1, { child: optional(call(2)), build: all })))).toEqual([
      'made',
      '3',
    ]);
  });

  it('gives each pattern of a children rule the first child that none before took', () => {
    const children = [call(2), call([2, 3])];
    const context = run(to(1, [to(3), to(2), to(2)]), call(1, { children, build: all }));
    expect(madeOf(context).toSorted()).toEqual([1, 2, 3]);
    expect(left(context)).toEqual(['made', '2']);
  });

  it('discards a children rule with one required pattern missing', () => {
    const children = [call(2), call(9), optional(call(3))];
    expect(left(run(to(1, [to(2), to(3)]), call(1, { children, build: all })))).toEqual(['1', '2', '3']);
  });

  it('offers a parent rule to the previous block alone', () => {
    const context = run(to(5, [to(1, [to(2)])]), call(2, { parent: call(1), build: all }));
    expect(left(context)).toEqual(['5', 'made']);
    expect(left(run(to(5, [to(1, [to(2)])]), call(2, { parent: call(5), build: all })))).toEqual([
      '5',
      '1',
      '2',
    ]);
  });

  it('swallows excesses and bounces of sub-matches, not of the start', () => {
    const root = to(1, [to(EXCESS), to(2, [to(EXCESS), to(0xffffffff), to(3)])]);
    const context = run(root, call(1, { child: call(2), build: all }));
    expect(madeOf(context)).toEqual([1, 2, EXCESS, 0xffffffff]);
    expect(left(context)).toEqual(['made', String(EXCESS), '3']);
  });

  it('leaves excesses where a pattern says so, and gives them to the build where it says first', () => {
    const kept = run(
      to(1, [to(2, [to(EXCESS)])]),
      call(1, { child: call(2, { excesses: 'leave' }), build: all }),
    );
    expect(left(kept)).toEqual(['made', String(EXCESS)]);
    const taken = run(to(1, [to(EXCESS), to(3)]), call(1, { excesses: 'first', build: all }));
    expect(left(taken)).toEqual(['made', '3']);
  });

  it('takes the first alternative that matches', () => {
    const context = run(
      to(1, [to(3), to(2)]),
      call(1, { children: [anyOf([call(2), call(3)])], build: all }),
    );
    expect(madeOf(context)).toEqual([1, 3]);
  });

  it('repeats a step until the exit, and keeps what it has when neither comes', () => {
    const chain: Pattern = { form: 'repeat', step: call(2), exit: call(3) };
    const whole = to(1, [to(2, [to(2, [to(3, [to(4)])])])]);
    expect(madeOf(run(whole, call(1, { child: chain, build: all })))).toEqual([1, 2, 2, 3]);
    expect(madeOf(run(to(1, [to(2, [to(4)])]), call(1, { child: chain, build: all })))).toEqual([1, 2]);
    expect(left(run(to(1, [to(4)]), call(1, { child: chain, build: all })))).toEqual(['1', '4']);
  });

  it('names a sub-match for the build', () => {
    const found: (string | null)[] = [];
    run(
      to(1, [to(2, [to(3)])]),
      call(1, {
        child: call(2, { child: call(3, { label: 'third' }) }),
        build: (block, parts, context) => {
          found.push(parts.get('third').destination, parts.maybe('none')?.destination ?? null);
          return all(block, parts, context);
        },
      }),
    );
    expect(found).toEqual([address(3), null]);
  });

  it('lets a sub-match with a build of its own merge before the parent does', () => {
    const inner = call(2, { child: call(3), build: all });
    const context = run(to(1, [to(2, [to(3)])]), call(1, { child: inner, build: all }));
    expect(left(context)).toEqual(['made']);
    expect(context.roots[0]!.parts.map(nameOf)).toEqual(['1', 'made']);
  });
});

describe('errors of a build', () => {
  it('a refusal drops the attempt alone, without a word', () => {
    const refuse = call(2, {
      build: () => {
        throw new Refusal('a fact is missing');
      },
    });
    const context = run(to(1, [to(2)]), refuse, call(1, { child: call(2), build: all }));
    expect(left(context)).toEqual(['made']);
    expect(context.problems).toEqual([]);
  });

  it('an error of ours names the matcher and the trace once, and the rest is classified', () => {
    const broken = call(2, {
      build: () => {
        throw new TypeError('ours');
      },
    });
    const context = run(to(1, [to(2), to(2)]), broken, call(1, { build: all }));
    expect(left(context)).toEqual(['made', '2', '2']);
    expect(context.problems).toHaveLength(1);
    expect(context.problems).toMatchObject([{ matcher: 'm0', traceId: context.trace.traceId }]);
  });

  it('a matcher that takes its own blocks without end fails the trace instead of the process', () => {
    const endless = blockThat(() => true, { build: all });
    expect(() => run(to(1), endless)).toThrow(/m0 accepts its own blocks/);
  });
});

describe('merging', () => {
  it('refuses parts that do not hang together, and leaves the blocks as they were', () => {
    const context = run(
      to(1, [to(2, [to(3)])]),
      call(1, {
        build: (block, _found, context) =>
          context.merge({ kind: MADE, data: null, parts: [block, block.children[0]!.children[0]!] }),
      }),
    );
    expect(left(context)).toEqual(['1', '2', '3']);
  });

  it('takes the place of the earliest part, and what hung under a part hangs under it', () => {
    const root = to(9, [to(7), to(1, [to(4), to(2, [to(5)])]), to(8)]);
    const context = run(root, call(2, { parent: call(1), build: all }));
    const [top] = context.roots as [Block];
    expect(top.children.map(nameOf)).toEqual(['7', 'made', '8']);
    expect(top.children[1]!.children.map(nameOf)).toEqual(['4', '5']);
    expect(top.children[1]!.children.every(({ previous }) => previous === top.children[1])).toBe(true);
    expect(top.children[1]!.previous).toBe(top);
  });

  it('joins siblings without their parent only where it is told to', () => {
    const both = (siblings: boolean): Pattern =>
      call(2, {
        build: (block, _found, context) =>
          context.merge({ kind: MADE, data: null, siblings, parts: [block, block.previous!.children[1]!] }),
      });
    expect(left(run(to(1, [to(2), to(3), to(4)]), both(true)))).toEqual(['1', 'made', '4']);
    expect(left(run(to(1, [to(2), to(3), to(4)]), both(false)))).toEqual(['1', '2', '3', '4']);
  });

  it('a block that was merged before is no part again', () => {
    const pair = (op: number): Pattern => call(op, { child: call(2), build: all });
    expect(left(run(to(1, [to(2)]), pair(1), pair(1)))).toEqual(['made']);
  });
});

describe('the order of matchers', () => {
  const matcher = (name: string, after: string[] = [], before: string[] = []): Matcher => ({
    name,
    after,
    before,
    pattern: call(1),
  });
  const names = (matchers: readonly Matcher[]): string[] => inOrder(matchers).map(({ name }) => name);

  it('is that of the list where nothing else is said', () => {
    expect(names([matcher('b'), matcher('a'), matcher('c')])).toEqual(['b', 'a', 'c']);
  });

  it('follows after and before, whatever the list', () => {
    expect(names([matcher('c', ['b']), matcher('b'), matcher('a', [], ['b'])])).toEqual(['a', 'b', 'c']);
  });

  it('refuses circles, unknown names and names twice', () => {
    expect(() => names([matcher('a', ['b']), matcher('b', ['a'])])).toThrow(/wait for each other: a, b/);
    expect(() => names([matcher('a', ['x'])])).toThrow(/a names x/);
    expect(() => names([matcher('a'), matcher('a')])).toThrow(/one name/);
  });
});
