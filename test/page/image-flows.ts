import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ImageWorld } from './image-world.ts';
import type { Flow, FlowContext } from './run-flow.ts';

interface Holding {
  readonly jetton_wallets: readonly { readonly owner: string; readonly jetton: string }[];
  readonly metadata: Readonly<
    Record<string, { readonly token_info: readonly { readonly name?: string }[] } | undefined>
  >;
}

/** A token's content, and how many of its images the page shows. PROXY is the image proxy's address. */
const CASES: readonly {
  readonly what: string;
  readonly content: Readonly<Record<string, string>>;
  readonly shown: number;
}[] = [
  { what: 'a picture', content: { image: 'https://pictures.example/a.png' }, shown: 1 },
  { what: 'a picture with a script', content: { image: 'https://pictures.example/a.svg' }, shown: 1 },
  { what: 'a page', content: { image: 'https://pictures.example/a.html' }, shown: 0 },
  { what: 'a script', content: { image: 'javascript:alert(1)' }, shown: 0 },
  { what: 'a page in the link', content: { image: 'data:text/html,<script>alert(1)</script>' }, shown: 0 },
  {
    what: 'a drawing in the link',
    content: { image: 'data:image/svg+xml,<svg onload="alert(1)"/>' },
    shown: 0,
  },
  ...[
    'https://evil.example/a.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'PROXY/../a.png',
    'PROXY.evil.example/a.png',
  ].map((address) => ({
    what: `another address, ${address.slice(0, 12)}`,
    content: { image: 'https://pictures.example/a.png', _image_small: address, _image_medium: address },
    shown: 0,
  })),
];

export const IMAGE_FLOWS: readonly Flow[] = [
  {
    name: 'images of tokens by the image proxy only',
    // A page in the place of a picture, and the picture that the test itself adds.
    expected: /ERR_BLOCKED_BY_ORB|Content Security Policy/,
    async run(context) {
      const images = await context.world.serveImages();
      try {
        context.allow(new URL(images.proxy).origin);
        context.allow(images.url);
        await showCases(context, images);
        await expectPolicy(context);
        await showPicture(context, images);
      } finally {
        await images.stop();
      }
      assert.deepEqual(images.refused, []);
    },
  },
];

async function showCases({ world, page, open }: FlowContext, images: ImageWorld): Promise<void> {
  const { owner, jetton } = await findHolder(world);
  for (const [number, { what, content, shown }] of CASES.entries()) {
    const name = `case ${number}`;
    const given = Object.entries(content).map(([key, text]) => [key, text.replace('PROXY', images.proxy)]);
    await world.overrideToken(jetton, { name, symbol: 'CASE', ...Object.fromEntries(given) });
    await world.find(
      `/api/v3/jetton/wallets?owner_address=${owner}`,
      (answer: Holding) => answer.metadata[jetton]?.token_info[0]?.name === name || undefined,
      images.url,
    );
    images.links.length = 0;
    await open(`account/${encodeURIComponent(owner)}`, images.url);
    const tokens = page.getByRole('region', { name: 'Jettons of the account' });
    await tokens.getByText(name, { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'NFTs' }).waitFor();
    // An image is asked for as soon as it is in the document; one that is no picture is removed.
    await page.waitForLoadState('networkidle');
    const widths = await tokens
      .locator('img')
      .evaluateAll((all) => all.map((one) => (one as never as { naturalWidth: number }).naturalWidth));
    assert.deepEqual(
      widths.map((width) => width > 0),
      Array.from({ length: shown }, () => true),
      what,
    );
    if (shown > 0) assert.deepEqual(images.links, [content.image], what);
  }
}

/** A holder of a jetton, and the jetton. */
async function findHolder(world: FlowContext['world']) {
  return world.find(
    '/api/v3/jetton/wallets?limit=50&exclude_zero_balance=true',
    (answer: Holding) => answer.jetton_wallets[0],
  );
}

/** The policy of the page refuses a stranger's image also if the page asked for it. */
async function expectPolicy({ page, allow }: FlowContext): Promise<void> {
  const seen: string[] = [];
  const stranger = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = stranger.address() as AddressInfo;
    // The browser reports the request, and does not send it.
    allow(`http://127.0.0.1:${port}`);
    const outcome = await page.evaluate(`new Promise((resolve) => {
      const image = new Image();
      image.onload = () => resolve('loaded');
      image.onerror = () => resolve('refused');
      image.src = 'http://127.0.0.1:${port}/images/a.png';
    })`);
    assert.equal(outcome, 'refused');
    assert.deepEqual(seen, []);
  } finally {
    stranger.close();
  }
}

/** Leaves a jetton's page with its picture for the screenshot. */
async function showPicture({ world, page, open }: FlowContext, images: ImageWorld): Promise<void> {
  const { jetton } = await findHolder(world);
  const content = {
    name: 'Pictured',
    symbol: 'PIC',
    description: 'Has a picture.',
    image: CASES[1]?.content.image,
  };
  await world.overrideToken(jetton, content);
  await world.find(
    `/api/v3/metadata?address=${jetton}`,
    (answer: Holding['metadata']) => answer[jetton]?.token_info[0]?.name === 'Pictured' || undefined,
    images.url,
  );
  await open(`account/${encodeURIComponent(jetton)}`, images.url);
  await page.getByText('Has a picture.').waitFor();
  await page.locator('img.token').first().waitFor();
  await page.waitForLoadState('networkidle');
}
