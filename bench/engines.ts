/**
 * `npm run bench:engines`: embedded key-value engines for the look-up index, each in a process with limited memory:
 * inserts, random reads, kills, and reads of a second process.
 */
import { BenchError } from './common/bench-error.ts';
import { benchDirectory } from './common/options.ts';
import { note } from './common/report.ts';
import { ENGINES, type EngineName } from './engines/engine-list.ts';
import { type EnginesOptions, readEnginesOptions } from './engines/engines-options.ts';
import { hasPackage } from './engines/foreign-package.ts';
import { measureEngine } from './engines/measure-engine.ts';
import { type EngineOutcome, printEngines } from './engines/print-engines.ts';

async function run(options: EnginesOptions): Promise<ReadonlyMap<EngineName, EngineOutcome>> {
  const outcomes = new Map<EngineName, EngineOutcome>();
  const directory = benchDirectory(options);
  try {
    for (const engine of options.engines) {
      const missing = findMissing(engine, options.modules);
      if (missing) note(`${engine} is skipped: npm install --no-save ${missing}`);
      else outcomes.set(engine, await measure(engine, directory.path, options));
    }
  } finally {
    directory.leave();
  }
  return outcomes;
}

function findMissing(engine: EngineName, modules: string): string | null {
  const { package: name } = ENGINES[engine];
  return name === null || hasPackage(name, modules) ? null : name;
}

/** An engine that fails does not end the run of the others. */
async function measure(engine: EngineName, data: string, options: EnginesOptions): Promise<EngineOutcome> {
  try {
    return await measureEngine(engine, data, options);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    note(`${engine}: ${error.message}`);
    return { error: error.message };
  }
}

try {
  const options = readEnginesOptions();
  if (options) printEngines(await run(options), options);
} catch (error) {
  if (!(error instanceof BenchError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
