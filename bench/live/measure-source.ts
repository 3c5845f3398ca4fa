import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseGlobalConfig } from '../../src/capture/liteserver/global-config.ts';
import { openLiteServer } from '../../src/capture/liteserver/liteserver-source.ts';
import type { TrustLevel } from '../../src/capture/liteserver/trust.ts';
import { mib, note, round } from '../common/report.ts';
import { FIRST_BLOCKS } from '../idle/product-process.ts';
import type { LiteProcess } from './lite-process.ts';

/** Memory is measured every so many steps. */
const SAMPLE_STEPS = 100;

/** Reads all steps by the source only, in this process: no log and no store. */
export async function measureSource(lite: LiteProcess, trust: TrustLevel) {
  const directory = mkdtempSync(join(tmpdir(), 'tonhouse-bench-'));
  const warn = (_facts: object, text: string) => note(text);
  const source = openLiteServer({
    config: parseGlobalConfig(lite.config, 'of the bench'),
    trust,
    trustedBlock: null,
    from: { kind: 'seqno', seqno: 1 },
    directory,
    log: { debug() {}, info() {}, warn, error: warn },
  });
  try {
    let [before, begun] = [process.cpuUsage(), performance.now()];
    let [blocks, peak] = [0, 0];
    for await (const step of source.steps(null, new AbortController().signal)) {
      if (step.mcSeqno > FIRST_BLOCKS) blocks += step.blocks.length;
      if (step.mcSeqno % SAMPLE_STEPS === 0) peak = Math.max(peak, process.memoryUsage.rss());
      if (step.mcSeqno === lite.last) break;
      if (step.mcSeqno !== FIRST_BLOCKS) continue;
      [before, begun] = [process.cpuUsage(), performance.now()];
      lite.offer({ stepMs: 0 });
    }
    const seconds = (performance.now() - begun) / 1_000;
    const { user, system } = process.cpuUsage(before);
    return {
      blocks_per_s: Math.round(blocks / seconds),
      cpu_us_per_block: Math.round((user + system) / blocks),
      peak_rss_mb: mib(peak),
      blocks,
      seconds: round(seconds, 1),
    };
  } finally {
    await source.close();
    rmSync(directory, { recursive: true, force: true });
  }
}
