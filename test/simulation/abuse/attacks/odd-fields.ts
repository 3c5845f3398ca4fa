import type { Attack } from '../attack.ts';
import type { Call } from '../http-call.ts';

/** Lists whose rows can be selected from. */
const LISTS = ['transactions', 'messages', 'blocks', 'actions'];

/** Selections of fields that no row has, and of the same one many times. */
export const oddFields: Attack = {
  name: 'odd selections of fields',
  holds: 'unknown fields are refused with 422 in a short answer, and known ones give no other',
  async run({ sendAll, must, random }) {
    const unknown = [
      '__proto__',
      'constructor',
      'toString',
      'hash,__proto__',
      'in_msg.hash',
      "hash' OR 1=1 --",
      'hash,(SELECT 1)',
      'sleep(1)',
      '{db:Identifier}',
      '*',
      'HASH',
      '\0',
      'x'.repeat(40_000),
      Array.from({ length: 3_000 }, () => `f${random.below(1_000)}`).join(),
    ];
    const refused = LISTS.flatMap((list) =>
      unknown.map(
        (fields): Call => ({ path: `/api/v3/${list}?limit=2&fields=${encodeURIComponent(fields)}` }),
      ),
    );
    for (const [at, { status, bytes, failure }] of (await sendAll(refused, 8)).entries()) {
      const what = `${refused[at]!.path.slice(0, 80)}: ${failure ?? status}, ${bytes} bytes`;
      must(failure !== null || status === 503 || (status >= 400 && status < 500 && bytes < 4_096), what);
    }
    // Every row has only its lt, however often it is requested.
    const many = Array.from({ length: 5_000 }, () => 'lt').join();
    const asked: Call[] = [many, 'lt', ',,lt,,'].map((fields) => ({
      path: `/api/v3/transactions?limit=5&fields=${fields}`,
    }));
    for (const { status, text, failure } of await sendAll(asked, 4)) {
      if (failure !== null || status !== 200) {
        must(failure === null && status < 500, `fields=lt: ${failure ?? status}`);
        continue;
      }
      const { transactions } = JSON.parse(text) as { transactions: object[] };
      must(
        transactions.every((row) => Object.keys(row).join() === 'lt'),
        `fields=lt answers ${text.slice(0, 200)}`,
      );
    }
  },
};
