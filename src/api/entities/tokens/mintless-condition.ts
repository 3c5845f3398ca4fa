/** Condition that a wallet has jettons, or may claim some. `claims`: the table of claims; null for none. */
export function hasOrMayClaim(claims: string | null): string {
  if (claims === null) return 'amount > 0';
  const raw = (name: string) => `concat(toString(${name}_workchain), ':', hex(${name}))`;
  return `(amount > 0 OR (flag AND (${raw('parent')}, ${raw('owner')}) IN (SELECT jetton, owner FROM ${claims} FINAL WHERE amount > 0)))`;
}
