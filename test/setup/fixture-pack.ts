/** Without the real data, tests that any chain can show run on a local one: `describeWithChain`. */
import { fixturePack } from '../helpers/make-fixture-pack.ts';
import { sharedData } from '../helpers/shared-data-folder.ts';

export default async function setup(): Promise<void> {
  if (!sharedData) process.env.TEST_FIXTURE_PACK = await fixturePack();
}
