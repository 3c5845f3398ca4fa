import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../helpers/run-cli.ts';

describe('tonhouse publish', () => {
  it('reports that it needs Kafka, and creates no log', async () => {
    const data = mkdtempSync(join(tmpdir(), 'tonhouse-publish-'));
    try {
      const { code, stderr } = await runCli(['publish', '--data', data]);
      expect(code).toBe(2);
      expect(stderr).toContain('--kafka');
      expect(readdirSync(data)).toEqual([]);
    } finally {
      rmSync(data, { recursive: true, force: true });
    }
  });
});
