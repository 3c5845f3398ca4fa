import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AnswerBodies } from '../../src/api/v3/answers/answer-bodies.ts';
import { describeWithData } from '../helpers/shared-data.ts';

/*
 * Bodies decoded as the public server decoded them, by the recordings of published clients: keys and their order too.
 */

interface RecordedMessage {
  readonly opcode: string | null;
  readonly decoded_opcode?: string | null;
  readonly message_content: {
    readonly body: string | null;
    readonly decoded?: Record<string, unknown> | null;
  } | null;
}

/** Messages, wherever they are in a recording. */
function messagesIn(value: unknown): RecordedMessage[] {
  if (typeof value !== 'object' || value === null) return [];
  const here = 'message_content' in value ? [value as RecordedMessage] : [];
  return [...here, ...Object.values(value).flatMap(messagesIn)];
}

/** Bags of cells whose cells the public server writes in another order: the code that a wallet deploys. */
const OTHER_ORDER = 'op.msgs.msg_1.msg.init.value.value.code.value';

function withoutCode(decoded: Record<string, unknown>): unknown {
  const text = JSON.stringify(decoded);
  return text.includes('"first_from_either","value":{"fixed_prefix_length"')
    ? JSON.parse(text, (key, value) =>
        key === 'value' && /^te6ccgECEQEAA2IAART/.test(value) ? OTHER_ORDER : value,
      )
    : decoded;
}

describeWithData('decoded bodies compared with recorded ones', (data) => {
  const folder = join(data, 'api-recordings');
  const messages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.startsWith('toncenter') && name.endsWith('.json'))
    .flatMap((name) => messagesIn(JSON.parse(readFileSync(join(folder, name), 'utf8'))));
  const bodies = new AnswerBodies({});

  it('the same objects', () => {
    // Recordings of an older server have `type` instead of `@type`, and other fields.
    const recorded = messages.flatMap(({ message_content: content }) =>
      content?.body && content.decoded && '@type' in content.decoded
        ? [{ body: content.body, decoded: content.decoded }]
        : [],
    );
    expect(recorded.length).toBeGreaterThan(80);
    const types = new Set(recorded.map(({ decoded }) => decoded['@type']));
    expect(types.size).toBeGreaterThan(20);
    for (const { body, decoded } of recorded) {
      const found = bodies.decodedPayload(body);
      expect(JSON.stringify(found && withoutCode(found))).toBe(JSON.stringify(withoutCode(decoded)));
    }
  });

  it('the same names of opcodes', () => {
    const named = messages.filter(({ decoded_opcode: name }) => name);
    expect(named.length).toBeGreaterThan(100);
    for (const { opcode, decoded_opcode: name } of named) expect(bodies.getName(Number(opcode))).toBe(name);
  });
});
