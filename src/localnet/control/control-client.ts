import type { ControlCommand, ControlCommands } from './control-commands.ts';
import { readControlFile } from './control-file.ts';

/** No process makes blocks in the folder now. */
export class NoLocalnetError extends Error {
  override readonly name = 'NoLocalnetError';
  readonly directory: string;

  constructor(directory: string, options?: ErrorOptions) {
    super(`no local chain runs in ${directory}: start one with \`tonhouse up\`, or name its --data`, options);
    this.directory = directory;
  }
}

/** The running chain refused a command. */
export class LocalnetRefusedError extends Error {
  override readonly name = 'LocalnetRefusedError';
  readonly command: string;
  readonly status: number;

  constructor(command: string, status: number, detail: string) {
    super(`${command}: ${detail}`);
    this.command = command;
    this.status = status;
  }
}

/**
 * Sends a command to the chain of this state folder; resolves when it is done.
 * @throws NoLocalnetError, LocalnetRefusedError
 */
export async function callControl<C extends ControlCommand>(
  directory: string,
  command: C,
  request: ControlCommands[C]['request'],
): Promise<ControlCommands[C]['answer']> {
  const address = readControlFile(directory);
  if (!address) throw new NoLocalnetError(directory);
  const response = await post(directory, address, command, request);
  const body = (await response.json()) as ControlCommands[C]['answer'] | { readonly error: string };
  if ('error' in body) throw new LocalnetRefusedError(command, response.status, body.error);
  return body;
}

/** A killed chain leaves its file: nothing listens there, or another program does. */
async function post(
  directory: string,
  { port, token }: { readonly port: number; readonly token: string },
  command: string,
  request: object,
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`http://127.0.0.1:${port}/${command}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(request),
    });
  } catch (error) {
    throw new NoLocalnetError(directory, { cause: error });
  }
  if (response.status === 401 || !response.headers.get('content-type')?.includes('json'))
    throw new NoLocalnetError(directory);
  return response;
}
