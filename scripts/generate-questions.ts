/** Prints the files that follow from examples/questions: docs/questions.md and Grafana's dashboards. `--write` writes them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainDashboard } from './questions/chain-dashboard.ts';
import { pipelineDashboard } from './questions/pipeline-dashboard.ts';
import { questionsPage } from './questions/questions-page.ts';

const ROOT = join(import.meta.dirname, '..');

/** Text of each file, by its path. */
export function questionFiles(): Readonly<Record<string, string>> {
  return {
    'docs/questions.md': questionsPage(),
    'grafana/dashboards/chain.json': chainDashboard(),
    'grafana/dashboards/pipeline.json': pipelineDashboard(),
  };
}

if (import.meta.main)
  for (const [path, text] of Object.entries(questionFiles()))
    if (process.argv.includes('--write')) writeFileSync(join(ROOT, path), text);
    else console.log(text);
