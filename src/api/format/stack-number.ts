/** A number of a stack in hex, the sign before the `0x`: clients read nothing else. */
export function stackNumberText(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}
