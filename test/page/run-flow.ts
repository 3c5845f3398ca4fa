import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { withLimit } from './with-limit.ts';
import type { World } from './world.ts';

/** What a flow gets. */
export interface FlowContext {
  readonly page: Page;
  readonly world: World;
  /** Opens a view: the part of the address after `#/`. `url`: another server than the world's. */
  open(view: string, url?: string): Promise<void>;
  /** Changes the view as a link does: the page is not loaded again. */
  show(view: string, url?: string): Promise<void>;
  /** Lets the page send requests to another server than the world's. */
  allow(url: string): void;
}

/** One thing that a user does, with the window that it is done in. */
export interface Flow {
  readonly name: string;
  readonly width?: number;
  readonly isDark?: boolean;
  /** True if no other flow may run meanwhile: it changes what they see. */
  readonly isAlone?: boolean;
  /** Longest flow, if it differs. */
  readonly limitMs?: number;
  /** Messages that the browser prints about answers that the flow provokes. */
  readonly expected?: RegExp;
  /** @throws AssertionError, or an error of the browser */
  run(context: FlowContext): Promise<void>;
}

export interface FlowSetup {
  readonly browser: Browser;
  readonly world: World;
  readonly screens: string | null;
  /** Longest flow. */
  readonly limitMs: number;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

const HEIGHT = 900;
/** A step ends before its flow, so that the flow fails with what it waited for. */
const STEP_SHARE = 0.9;
/** Longest screenshot of a flow that failed, and longest end of a window. */
const SCREEN_LIMIT_MS = 10_000;
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Runs a flow in a new window. After it, the console must be empty, all requests were to the server, nothing is wider than the
 * window, and axe finds nothing serious. A flow that takes too long fails. @returns what failed, or null
 */
export async function runFlow(flow: Flow, setup: FlowSetup): Promise<string | null> {
  const { browser, world, screens, limitMs } = setup;
  const { width = 1_280, isDark = false } = flow;
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    colorScheme: isDark ? 'dark' : 'light',
  });
  context.setDefaultTimeout(STEP_SHARE * limitMs);
  const page = await context.newPage();
  const allowed = new Set([world.url]);
  const complaints = watch(page, allowed, flow.expected);
  const failures = watchFailures(page);
  const work = async () => {
    await flow.run({
      page,
      world,
      open: (view, url = world.url) => openView(page, url, view),
      show: async (view, url = world.url) => void (await page.goto(`${url}/#/${view}`)),
      allow: (url) => allowed.add(url),
    });
    if (screens !== null) await page.screenshot({ path: toPath(screens, flow.name), fullPage: true });
    const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
    if (overflow > 0) complaints.push(`the page is ${overflow} px wider than the window`);
    complaints.push(...(await findBarriers(page)));
  };
  try {
    await withLimit(work(), limitMs);
  } catch (error) {
    complaints.push(String((error as Error).stack));
    if (screens !== null) {
      const path = toPath(screens, `failed ${flow.name}`);
      await page.screenshot({ path, timeout: SCREEN_LIMIT_MS }).catch(() => {});
    }
  } finally {
    // What a flow above its limit still does fails without its window.
    await withLimit(context.close(), SCREEN_LIMIT_MS).catch(() => {});
  }
  return complaints.length === 0 ? null : [...complaints, ...failures].join('\n');
}

function toPath(screens: string, name: string): string {
  return join(screens, `${name.replace(/[^a-z0-9]+/gi, '-')}.png`);
}

async function openView(page: Page, url: string, view: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}/#/${view}`);
  await page.locator('h1').waitFor();
}

/** Collects errors of the console, dialogs, and requests to others. */
function watch(page: Page, allowed: ReadonlySet<string>, expected: RegExp | undefined): string[] {
  const found: string[] = [];
  page.on('console', (message) => {
    const isBad = message.type() === 'error' || message.type() === 'warning';
    if (isBad && !expected?.test(message.text()))
      found.push(`console: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => found.push(`error of the page: ${error.message}`));
  page.on('dialog', (dialog) => {
    found.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const isAllowed = [...allowed].some((url) => request.url().startsWith(`${url}/`));
    if (!isAllowed && request.url() !== 'about:blank') found.push(`request to ${request.url()}`);
  });
  return found;
}

/** Answers with a server's error: they explain what the console says. */
function watchFailures(page: Page): string[] {
  const found: string[] = [];
  page.on('response', async (response) => {
    if (response.status() < 500) return;
    const body = await response.text().catch(() => 'no body');
    found.push(`${response.status()} ${response.url().slice(0, 200)}: ${body.slice(0, 500)}`);
  });
  return found;
}

/** Serious findings of axe. */
async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  // The passed checks name every element of the page: they stay in the browser.
  const { violations } = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))",
  )) as AxeResult;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => `axe: ${id}: ${help}\n${nodes[0]?.html}\n${nodes[0]?.failureSummary}`);
}
