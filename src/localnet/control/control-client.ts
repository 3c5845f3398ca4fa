import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { ConflictError, UnavailableError } from '../../platform/errors/error-kinds.ts';
import type { ControlCommand, ControlCommands } from './control-commands.ts';
import { readControlFile } from './control-file.ts';

/** No process makes blocks in the folder now. */
export class NoLocalnetError extends UnavailableError {
  readonly directory: string;

  constructor(directory: string, options?: ErrorOptions) {
    super(`no local chain runs in ${directory}: start one with \`tonhouse up\`, or name its --data`, options);
    this.directory = directory;
  }
}

/** The running chain refused a command. */
export class LocalnetRefusedError extends ConflictError {
  readonly command: string;
  readonly status: number;

  constructor(command: string, status: number, detail: string) {
    super(`${command}: ${detail}`);
    this.command = command;
    this.status = status;
  }
}

/**
 * Tells the chain that runs with this state folder to do something; resolves when it is done.
 * @throws NoLocalnetError, LocalnetRefusedError
 */
export async function callControl<C extends ControlCommand>(
  directory: string,
  command: C,
  request: ControlCommands[C]['request'],
): Promise<ControlCommands[C]['answer']> {
  const address = readControlFile(directory);
  if (!address) throw new NoLocalnetError(directory);
  const { status, body } = await post(directory, address, command, request);
  const answer = body as ControlCommands[C]['answer'] | { readonly error: string };
  if ('error' in answer) throw new LocalnetRefusedError(command, status, answer.error);
  return answer;
}

/** Sends a command. It has no time limit: a hundred thousand blocks take as long as they take. */
async function post(
  directory: string,
  { port, token }: { readonly port: number; readonly token: string },
  command: string,
  content: object,
): Promise<{ readonly status: number; readonly body: object }> {
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    path: `/${command}`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.end(JSON.stringify(content));
  let response: IncomingMessage;
  try {
    [response] = (await once(sent, 'response')) as [IncomingMessage];
  } catch (cause) {
    // A chain that was killed leaves its file behind: nobody listens there.
    throw new NoLocalnetError(directory, { cause });
  }
  const status = response.statusCode as number;
  // Another program listens there now.
  if (status === 401 || !response.headers['content-type']?.includes('json')) {
    response.resume();
    throw new NoLocalnetError(directory);
  }
  return { status, body: (await json(response)) as object };
}
