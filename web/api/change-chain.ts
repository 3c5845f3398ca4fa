import { postJson, RequestError } from './request.ts';

const POLL_MS = 500;
/** The server does not come back: ten minutes. */
const MAX_POLLS = 1_200;

/** Snapshots of the local chain, oldest first, and the last snapshot or revert. */
export interface Snapshots {
  readonly ids: readonly string[];
  readonly last: { readonly number: number; readonly error: string | null } | null;
}

interface Asked {
  readonly number: number;
  readonly id: string;
}

/** Stores or reverts the local chain, whose server restarts. Resolves to the id when it answers again. @throws RequestError */
export async function changeChain(command: 'snapshot' | 'revert', request: object): Promise<string> {
  const { number, id } = await postJson<Asked>(`/localnet/${command}`, request);
  for (let polls = 0; polls < MAX_POLLS; polls++) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const last = await readLast();
    if (last === null || last.number < number) continue;
    if (last.number === number && last.error !== null) throw new RequestError(last.error, 0, null);
    return id;
  }
  throw new RequestError('The server has restarted, and does not answer. Its log has the reason.', 0, null);
}

/** null while the server restarts. */
async function readLast(): Promise<Snapshots['last']> {
  try {
    return (await postJson<Snapshots>('/localnet/snapshots', {})).last;
  } catch (error) {
    const { status } = error as RequestError;
    if (status > 0 && status < 500) throw error;
    return null;
  }
}
