/**
 * Sets metadata of tokens as `tonhouse metadata override set` does, all in one process: `node test/page/set-overrides.ts DATA JSON`.
 * JSON: an object of contents by raw address.
 */
import { writeOverride } from '../../src/api/metadata/override-records.ts';
import { withNetworkStore } from '../../src/cli/compose/network-store.ts';

const [data, json = ''] = process.argv.slice(2);
process.exitCode = await withNetworkStore({ data, logLevel: 'warn' }, 'write', async (client, network) => {
  for (const [address, content] of Object.entries(JSON.parse(json)))
    await writeOverride(client, network, {
      address,
      content: JSON.stringify(content),
      isNsfw: false,
      isScam: false,
    });
  return 0;
});
