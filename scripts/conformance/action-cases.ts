import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { classifyTrace } from '../../src/projections/actions/classify.ts';
import { recordedColumns } from '../../src/projections/actions/out/recorded-columns.ts';
import { type Difference, differencesOf } from './compare-values.ts';
import { selects } from './selector.ts';
import { factsOf, type RecordedTrace, traceOf } from './trace-fixture.ts';

/** One action that a case expects. */
interface ExpectedAction {
  readonly type: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Condition that picks one action of the type, or a list of them. */
  readonly selector_source?: string;
}

interface Case {
  readonly case: string;
  readonly trace_file: string;
  readonly expected_actions: readonly ExpectedAction[];
}

/** One expected action against what was classified. */
export interface Outcome {
  readonly group: string;
  readonly name: string;
  readonly expected: string;
  /** `ok`, or what was found instead. */
  readonly got: string;
}

/** Files of cases under a folder of traces with `cases/` inside, or of a folder of cases itself. */
function caseFiles(folder: string): { readonly base: string; readonly files: readonly string[] } {
  const inside = join(folder, 'cases');
  const cases = existsSync(inside) ? inside : folder;
  const files = readdirSync(cases).filter((name) => name.endsWith('.json'));
  // `trace_file` is given from the folder above the traces.
  return { base: resolve(cases, '../..'), files: files.sort().map((name) => join(cases, name)) };
}

/** A trace lies where the case says, or under its plain name beside the cases. */
function traceFile(base: string, folder: string, name: string): string {
  const places = [join(base, name), join(folder, basename(name)), join(folder, '..', basename(name))];
  return places.find((place) => existsSync(place)) ?? (places[0] as string);
}

const shown = (value: unknown): string =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? one.toString() : one)) ?? 'nothing';

const differenceText = ({ path, expected, got }: Difference): string =>
  `${path}: ${shown(got)} instead of ${shown(expected)}`;

/** `ok`, or why no action of the trace is what the case expects. */
function gotFor(expected: ExpectedAction, actions: readonly Readonly<Record<string, unknown>>[]): string {
  const sameType = actions.filter(({ type }) => String(type).toLowerCase() === expected.type.toLowerCase());
  const { selector_source: selector, values = {} } = expected;
  const picked = selector === undefined ? sameType : sameType.filter((one) => selects(selector, one));
  const [only, ...others] = picked;
  if (!only || others.length > 0) {
    const types = actions.map(({ type }) => type).join(', ');
    return `${picked.length} actions of the type; all: ${types}`;
  }
  const differences = differencesOf(values, only);
  return differences.length === 0 ? 'ok' : differences.map(differenceText).join('; ');
}

/** Outcomes of every expected action of every case below a folder. */
export function runCases(folder: string): Outcome[] {
  const { base, files } = caseFiles(folder);
  return files.flatMap((file) => {
    const { group, cases } = JSON.parse(readFileSync(file, 'utf8')) as {
      readonly group?: string;
      readonly cases: readonly Case[];
    };
    return cases.flatMap((one) =>
      outcomesOf(one, group ?? basename(file, '.json'), traceFile(base, folder, one.trace_file)),
    );
  });
}

function outcomesOf(one: Case, group: string, file: string): Outcome[] {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as RecordedTrace;
  const { actions, problems } = classifyTrace(traceOf(recorded), factsOf(recorded));
  const columns = actions.map(recordedColumns);
  const trouble = problems.map(({ matcher, error }) => ` [${matcher}: ${error}]`).join('');
  return one.expected_actions.map((expected) => ({
    group,
    name: one.case,
    expected: expected.selector_source ? `${expected.type} ${expected.selector_source}` : expected.type,
    got: gotFor(expected, columns) + trouble,
  }));
}
