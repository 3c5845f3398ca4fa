import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BenchError } from '../common/bench-error.ts';
import { productArguments, productEnvironment } from '../common/product-arguments.ts';
import type { NetworkMessage, NetworkPlan } from './network-process.ts';

const SCRIPT = fileURLToPath(new URL('./network-process.ts', import.meta.url));

/** A network that runs. */
export interface Network {
  /** Text of its global configuration. */
  readonly config: string;
  /** Seqno of the newest block before it grows. */
  readonly head: number;
  /** Begins to grow. `onBlock` gets the Unix time of each masterchain block, milliseconds. */
  grow(onBlock: (seqno: number, at: number) => void): void;
  stop(): void;
}

/** Starts a network in a process of its own. Resolves when it answers. */
export async function startNetwork(plan: NetworkPlan): Promise<Network> {
  const child = spawn(process.execPath, productArguments([JSON.stringify(plan)], SCRIPT), {
    env: productEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { config, head } = await ready(child);
  return {
    config,
    head,
    grow(onBlock) {
      child.on('message', (message: NetworkMessage) => {
        if (message.kind === 'block') onBlock(message.seqno, message.at);
      });
      child.send('grow');
    },
    stop: () => void child.kill('SIGKILL'),
  };
}

function ready(child: ChildProcess): Promise<Extract<NetworkMessage, { kind: 'ready' }>> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new BenchError(`the network's process ended with ${code}`)));
  });
}
