import type { ContainerEngine } from '../../scripts/containers/container-engine.ts';
import { freePort } from '../helpers/free-port.ts';
import { check, requireEqual } from './checks.ts';
import { LIMITS } from './limits.ts';
import { Services } from './services.ts';

/** compose.one.yml: a local chain with the embedded store. */
export async function checkOneContainer(engine: ContainerEngine): Promise<void> {
  const port = await freePort();
  const environment = { ...LIMITS, TONHOUSE_PUBLISH: `127.0.0.1:${port}` };
  const services = new Services(engine, { name: 'one', file: 'compose.one.yml' }, environment);
  await check('compose.one.yml: becomes healthy, as a user without rights', async () => {
    await services.up();
    await services.healthy('tonhouse');
    const user = await engine.run('podman', ['exec', services.container('tonhouse'), 'id', '-un']);
    requireEqual('user', 'node', user.trim());
  });
  await check('compose.one.yml: answers at the published port', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v3/masterchainInfo`);
    requireEqual('status', 200, answer.status);
  });
  await check('compose.one.yml: stops in order', async () => {
    requireEqual('exit code', 0, await services.stop('tonhouse'));
  });
  await services.down();
}
