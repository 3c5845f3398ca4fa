import { beginCell } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildServer } from '../../../src/api/serve-stage.ts';
import { storelessContext } from '../../helpers/storeless-context.ts';

const EXCESS = 'te6cckEBAQEADgAAGNUydts04zF7jFswkGLuq5I=';
const COMMENT = 'te6cckEBAQEAKgAAUAAAAAAzNzUwMDZjMC01ZmUyLTRmYjEtYmEyYS1kMGUzZjFmNjZhMjZgq3f+';

describe('/api/v3/decode', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await buildServer(storelessContext());
  });
  afterAll(() => app.close());

  const get = async (query: Record<string, string[]>) => {
    const list = Object.entries(query).flatMap(([name, values]) => values.map((value) => [name, value]));
    const answer = await app.inject({ url: `/api/v3/decode?${new URLSearchParams(list)}` });
    return [answer.statusCode, answer.json()];
  };
  const post = async (payload: object) => {
    const answer = await app.inject({ method: 'POST', url: '/api/v3/decode', payload });
    return [answer.statusCode, answer.json()];
  };

  it('names opcodes in any form, places kept', async () => {
    const opcodes = ['0x0f8a7ea5', '260734629', 'd53276db', '-718113061', '10', '1', '0xfb88e119'];
    const names = [
      'jetton_transfer',
      'jetton_transfer',
      'excess',
      'excess',
      'unknown',
      'evaa_supply_master,pyth_update_guardian_set,w4_deploy_install_plugin',
      'unknown',
    ];
    expect(await get({ opcodes })).toEqual([200, { opcodes: names, bodies: [] }]);
    expect(await post({ opcodes })).toEqual([200, { opcodes: names, bodies: [] }]);
  });

  it('decodes bodies in base64 and hex; a comment keeps its plain form', async () => {
    const hex = Buffer.from(EXCESS, 'base64').toString('hex');
    const bodies = [EXCESS, hex, COMMENT, 'te6!', 'xyz', 'te6cckEBAQEAAgAAAEysuc0='];
    const excess = { '@type': 'excess', query_id: '3810944116391096464' };
    const expected = [
      excess,
      excess,
      { '@type': 'text_comment', text: '375006c0-5fe2-4fb1-ba2a-d0e3f1f66a26' },
      { error: expect.stringMatching(/^unknown: /) },
      { error: expect.stringMatching(/^unknown: /) },
      { '@type': 'empty_cell' },
    ];
    expect(await get({ bodies })).toEqual([200, { opcodes: [], bodies: expected }]);
    expect(await post({ bodies })).toEqual([200, { opcodes: [], bodies: expected }]);
  });

  it.each([
    [{ opcodes: ['7', 'zz'] }, 'invalid opcode format at index 1: zz'],
    [{ opcodes: ['4294967296000'] }, 'invalid opcode format at index 0: 4294967296000'],
    [{ opcodes: new Array(1001).fill('1') }, 'opcodes list exceeds maximum length of 1000'],
    [{ bodies: new Array(1001).fill('b5') }, 'bodies list exceeds maximum length of 1000'],
  ])('refuses, case %#', async (query, error) => {
    expect(await get(query as Record<string, string[]>)).toEqual([422, expect.objectContaining({ error })]);
    expect(await post(query)).toEqual([422, expect.objectContaining({ error })]);
  });

  it('takes the query of a POST, which decides; a GET with a body is answered by its query', async () => {
    const named = { opcodes: ['jetton_transfer', 'excess'], bodies: [] };
    const url = '/api/v3/decode?opcodes=0x0f8a7ea5&opcodes=d53276db';
    const headers = { 'content-type': 'application/json' };
    for (const payload of ['', '{}', '{"opcodes":["1"]}'])
      expect((await app.inject({ method: 'POST', url, payload, headers })).json(), payload).toEqual(named);
    const bodies = JSON.stringify({ bodies: [EXCESS] });
    const both = await app.inject({ method: 'POST', url, payload: bodies, headers });
    expect(both.json()).toMatchObject({ ...named, bodies: [{ '@type': 'excess' }] });
    const got = await app.inject({ method: 'GET', url, payload: '{"opcodes":["1"]}', headers });
    expect(got.json()).toEqual(named);
    const unreadable = await app.inject({ method: 'POST', url, payload: '{', headers });
    expect(unreadable.statusCode).toBe(422);
  });

  it('refuses lists that are none', async () => {
    const [status] = await post({ opcodes: 'd53276db' });
    expect(status).toBe(422);
  });

  it('all bodies of an answer share what may be shown', async () => {
    const hostile = hostileDictionary();
    const [status, { bodies }] = (await post({ bodies: new Array(20).fill(hostile) })) as [
      number,
      { readonly bodies: unknown[] },
    ];
    expect(status).toBe(200);
    expect(bodies).toEqual(new Array(20).fill({ error: 'unknown: it is too large' }));
  });
});

/** A body whose dictionary has two references to one cell on each of 32 levels. */
function hostileDictionary(): string {
  let edge = beginCell().storeUint(0, 2).storeInt(1, 32).endCell();
  for (let level = 0; level < 32; level++)
    edge = beginCell().storeUint(0, 2).storeRef(edge).storeRef(edge).endCell();
  const body = beginCell().storeUint(0x73403c43, 32).storeUint(1, 64).storeBit(1).storeRef(edge).storeBit(0);
  return body.endCell().toBoc().toString('base64');
}
