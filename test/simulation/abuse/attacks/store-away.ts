import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackContext } from '../attack.ts';
import { callHttp, jsonCall } from '../http-call.ts';

const BACK_MS = 90_000;
/** Shorter or longer than the watch on the store waits. */
const FROZEN_MS = [3_000, 14_000] as const;
/** Errors of requests beyond their time limit, because nothing answers. */
const LATE = /took longer than its time limit|LITE_SERVER_NETWORK timeout/;
/** While the store is away nothing can be answered: answers must come back, and errors meanwhile be the right ones. */
const BOUNDS = { honestServed: 0, honestP99Ms: 30_000, logBytes: 1024 * 1024 };

/** The store stops listening, as anybody with its password can make it. */
export const unresponsiveStore: Attack = {
  name: 'an unresponsive store',
  isOutage: true,
  holds: 'the watch notices, starts it again, and answers come back within 90 s',
  bounds: BOUNDS,
  honestMayGet: LATE,
  async run(context) {
    const { url, user, password } = context.server.store!;
    const headers = { 'x-clickhouse-user': user, 'x-clickhouse-key': password };
    const { hostname: host, port } = new URL(url);
    await callHttp({ host, port: Number(port) }, { path: '/', body: 'SYSTEM STOP LISTEN HTTP', headers });
    await untilAnswered(context);
  },
};

/** The store's process gets no time for a while. */
export const frozenStore: Attack = {
  name: 'a frozen store',
  isOutage: true,
  holds: 'requests end meanwhile, and answers come back',
  bounds: BOUNDS,
  honestMayGet: LATE,
  async run(context) {
    const pid = context.server.storePid!;
    process.kill(pid, 'SIGSTOP');
    const frozenMs = context.isShort ? FROZEN_MS[0] : context.random.pick(FROZEN_MS);
    const wake = setTimeout(() => signalIfThere(pid, 'SIGCONT'), frozenMs);
    try {
      await askAll(context);
      await sleep(frozenMs);
    } finally {
      clearTimeout(wake);
      signalIfThere(pid, 'SIGCONT');
    }
    await untilAnswered(context);
  },
};

/** The store's process is killed. */
export const killedStore: Attack = {
  name: 'a killed store',
  isOutage: true,
  holds: 'it is started again, and answers come back within 90 s',
  bounds: BOUNDS,
  honestMayGet: LATE,
  async run(context) {
    process.kill(context.server.storePid!, 'SIGKILL');
    await askAll(context);
    await untilAnswered(context);
  },
};

/** Requests of many kinds at once: each must end, in whatever way is documented. */
async function askAll({ sendAll, accounts }: AttackContext): Promise<void> {
  const address = encodeURIComponent(accounts.wallet);
  const calls = [
    { path: '/api/v3/transactions?limit=100' },
    { path: `/api/v3/accountStates?address=${address}` },
    { path: `/api/v2/getAddressInformation?address=${address}` },
    { path: '/api/v2/getMasterchainInfo' },
    { path: '/healthz' },
    jsonCall('/api/v3/runGetMethod', { address: accounts.wallet, method: 'seqno', stack: [] }),
  ];
  await sendAll([...calls, ...calls, ...calls], 18);
}

async function untilAnswered({ route, must }: AttackContext): Promise<void> {
  const begun = Date.now();
  while (Date.now() < begun + BACK_MS) {
    const path = `/api/v3/transactions?limit=1&offset=${(Date.now() - begun) % 400}`;
    const { status } = await callHttp(route, { path, timeoutMs: 10_000 });
    if (status === 200) return;
    await sleep(250);
  }
  must(false, `no answer ${BACK_MS} ms after the store went away`);
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It was replaced meanwhile.
  }
}
