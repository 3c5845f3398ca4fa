/** CRC16 (XModem) of the bytes `d`, 0 to 65535: checksum of friendly addresses. */
const CRC16 = `arrayFold((c, b) -> arrayMap(x -> bitAnd(bitXor(bitXor(bitShiftLeft(c, 8), bitShiftLeft(x, 12)), bitXor(bitShiftLeft(x, 5), x)), 65535), [arrayMap(y -> bitXor(y, bitShiftRight(y, 4)), [bitXor(bitShiftRight(c, 8), b)])[1]])[1], arrayMap(i -> toUInt64(reinterpretAsUInt8(substring(d, i, 1))), range(1, 35)), toUInt64(0))`;

/** Bounceable friendly address of a network. `tag`: 0x11, or 0x91 for a test network. */
function toFriendly(tag: number): string {
  const bytes = `concat(char(${tag}), reinterpretAsString(toInt8(splitByChar(':', assumeNotNull(raw))[1])), unhex(splitByChar(':', assumeNotNull(raw))[2]))`;
  // A workchain of 0 gives an empty string: its byte is added.
  const data = `arrayMap(p -> if(length(p) = 33, concat(substring(p, 1, 1), char(0), substring(p, 2)), p), [${bytes}])`;
  const text = `replaceAll(replaceAll(base64Encode(concat(d, char(bitShiftRight(crc, 8)), char(bitAnd(crc, 255)))), '+', '-'), '/', '_')`;
  return `(raw) -> if(raw IS NULL, NULL, arrayMap(d -> arrayMap(crc -> ${text}, [${CRC16}])[1], ${data})[1])`;
}

const TO_RAW =
  "(friendly) -> if(friendly IS NULL, NULL, arrayMap(d -> concat(toString(reinterpretAsInt8(substring(d, 2, 1))), ':', hex(substring(d, 3, 32))), [base64Decode(replaceAll(replaceAll(assumeNotNull(friendly), '-', '+'), '_', '/'))])[1])";

/** Functions of other engines that analysts' statements call, by name. */
export function sqlFunctions(isTestnet: boolean): Readonly<Record<string, string>> {
  return {
    regexp_like: '(text, pattern) -> match(text, pattern)',
    get_href: '(link, text) -> concat(link, text)',
    bitwise_right_shift: '(number, bits) -> bitShiftRight(toInt256(number), bits)',
    json_extract_scalar: '(json, path) -> JSON_VALUE(json, path)',
    count_if: '(condition) -> countIf(condition)',
    to_hex: '(bytes) -> hex(bytes)',
    from_hex: '(text) -> unhex(text)',
    approx_distinct: '(value) -> uniq(value)',
    varbinary_to_uint256: '(bytes) -> reinterpretAsUInt256(reverse(bytes))',
    array_union: '(a, b) -> arrayDistinct(arrayConcat(a, b))',
    array_distinct: '(a) -> arrayDistinct(a)',
    array_position: '(a, value) -> indexOf(a, value)',
    ton_address_raw_to_user_friendly: toFriendly(isTestnet ? 0x91 : 0x11),
    ton_address_user_friendly_to_raw: TO_RAW,
  };
}

/** FUNCTION_ALREADY_EXISTS: the engine has the function itself. */
export const BUILT_IN = 609;

/** Statements that create the functions, in lower and upper case. `where`: ON CLUSTER, or nothing. */
export function functionStatements(isTestnet: boolean, where: string): readonly string[] {
  return Object.entries(sqlFunctions(isTestnet)).flatMap(([name, body]) =>
    [name, name.toUpperCase()].map((one) => `CREATE OR REPLACE FUNCTION ${one}${where} AS ${body}`),
  );
}
