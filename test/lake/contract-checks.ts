/** Checks of sales, names, orders of multisigs, opcodes and exit codes. */
import { apiDnsRecords } from './api-rows.ts';
import type { Check } from './check.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { LakeServer, Row } from './lake-server.ts';
import { orderRows, saleRows } from './sale-rows.ts';
import { askList } from './state-history.ts';

const DECODED_AT_ONCE = 100;

/** Names of opcodes, as `/decode` answers them. It has one name for an opcode that several layouts share. */
async function opcodeRows(server: LakeServer): Promise<readonly Row[]> {
  const rows = await server.ask('SELECT opcode, name FROM opcodes');
  const opcodes = [...new Set(rows.map(({ opcode }) => Number(opcode)))];
  const toHex = (opcode: number) => `0x${(opcode >>> 0).toString(16).padStart(8, '0')}`;
  const names = new Map<number, unknown>();
  for (let at = 0; at < opcodes.length; at += DECODED_AT_ONCE) {
    const some = opcodes.slice(at, at + DECODED_AT_ONCE);
    const answer = await server.get(`decode?${some.map((one) => `opcodes=${toHex(one)}`).join('&')}`);
    for (const [place, name] of (answer.opcodes as readonly unknown[]).entries())
      names.set(some[place]!, name);
  }
  return opcodes.flatMap((opcode) => {
    const own = rows.filter((row) => Number(row.opcode) === opcode).map(({ name }) => name);
    const wanted = String(names.get(opcode)).split(',');
    // It does not name each layout of an opcode, and names some opcodes whose bodies are not decoded.
    const isNamed = wanted.some((name) => own.includes(name));
    return (isNamed ? own : wanted).map((name) => ({
      opcode,
      name,
      opcode_hex: toHex(opcode),
    }));
  });
}

export const CONTRACT_CHECKS: readonly Check[] = [
  { table: 'nft_sales', key: ['address', 'lt'], time: 'timestamp', expected: saleRows },
  {
    table: 'dns_records',
    key: ['nft_item_address'],
    expected: async (server) =>
      apiDnsRecords(server, await askList(server, 'SELECT domain FROM dns_records')),
  },
  { table: 'multisig_orders', key: ['address'], bags: ['order_boc'], expected: orderRows },
  { table: 'opcodes', key: ['opcode', 'name'], expected: opcodeRows },
  { table: 'exit_codes', key: ['code', 'phase'], expected: async () => EXIT_CODES },
];
