/**
 * Writes the AssemblyScript source of SHA-256: one message at a time, and four at a time in the lanes of SIMD registers.
 * Both are unrolled, which is why they are generated. Source of the rules and constants: FIPS 180-4.
 */
const VARS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

function primes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime !== 0)) found.push(n);
  return found;
}

/** The first 32 bits of the fraction of a root that is computed in integers: `n` scaled by 2^(32·degree). */
function fractionOfRoot(n: number, degree: 2 | 3): number {
  const scaled = BigInt(n) << BigInt(32 * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) <= scaled) low = middle;
    else high = middle;
  }
  return Number(low & 0xffffffffn);
}

const hex = (value: number): string => `0x${value.toString(16)}`;
const START = primes(8).map((prime) => fractionOfRoot(prime, 2));
const ROUND = primes(64).map((prime) => fractionOfRoot(prime, 3));

/** The operations of one form: on 32-bit numbers, or on four of them at once. */
interface Form {
  readonly type: string;
  add(...terms: string[]): string;
  xor(...terms: string[]): string;
  and(x: string, y: string): string;
  rotate(x: string, n: number): string;
  shift(x: string, n: number): string;
  constant(round: number): string;
}

const SCALAR: Form = {
  type: 'u32',
  add: (...terms) => `(${terms.join(' + ')})`,
  xor: (...terms) => `(${terms.join(' ^ ')})`,
  and: (x, y) => `(${x} & ${y})`,
  rotate: (x, n) => `rotr<u32>(${x}, ${n})`,
  shift: (x, n) => `(${x} >>> ${n})`,
  constant: (round) => hex(ROUND[round] as number),
};

const nest = (name: string, terms: string[]) => terms.reduce((all, term) => `${name}(${all}, ${term})`);

const LANES: Form = {
  type: 'v128',
  add: (...terms) => nest('i32x4.add', terms),
  xor: (...terms) => nest('v128.xor', terms),
  and: (x, y) => `v128.and(${x}, ${y})`,
  rotate: (x, n) => `v128.or(i32x4.shr_u(${x}, ${n}), i32x4.shl(${x}, ${32 - n}))`,
  shift: (x, n) => `i32x4.shr_u(${x}, ${n})`,
  // Loaded rather than built: steadier across engines than a constant of 128 bits.
  constant: (round) => `v128.load(ROUND_CONSTANTS, ${round * 16})`,
};

/** One round: instead of moving the eight variables, their names turn. */
function round(form: Form, i: number): string {
  const [a, b, c, d, e, f, g, h] = VARS.map((_, k) => VARS[(k - (i % 8) + 8) % 8] as string) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const sum1 = form.xor(form.rotate(e, 6), form.rotate(e, 11), form.rotate(e, 25));
  const choice = form.xor(form.and(form.xor(f, g), e), g);
  const sum0 = form.xor(form.rotate(a, 2), form.rotate(a, 13), form.rotate(a, 22));
  const majority = form.xor(form.and(form.xor(a, b), form.xor(b, c)), b);
  const schedule = i < 16 ? '' : nextWord(form, i);
  return [
    `${schedule}    t = ${form.add(h, sum1, choice, form.constant(i), `w${i % 16}`)};`,
    `    ${d} = ${form.add(d, 't')};`,
    `    ${h} = ${form.add('t', sum0, majority)};`,
  ].join('\n');
}

function nextWord(form: Form, i: number): string {
  const [w, older, newer] = [`w${i % 16}`, `w${(i - 15) % 16}`, `w${(i - 2) % 16}`];
  const sigma0 = form.xor(form.rotate(older, 7), form.rotate(older, 18), form.shift(older, 3));
  const sigma1 = form.xor(form.rotate(newer, 17), form.rotate(newer, 19), form.shift(newer, 10));
  return `    ${w} = ${form.add(w, `w${(i - 7) % 16}`, sigma0, sigma1)};\n`;
}

const each = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n');

function rounds(form: Form): string {
  return [
    VARS.map((name, i) => `    let ${name}: ${form.type} = h${i};`).join('\n'),
    each(64, (i) => round(form, i)),
    each(8, (i) => `    h${i} = ${form.add(`h${i}`, VARS[i] as string)};`),
  ].join('\n');
}

function oneMessage(): string {
  return `/** Hashes \`blocks\` padded blocks of 64 bytes at \`from\`; the 32 bytes go to \`to\`. */
export function sha256One(from: usize, blocks: i32, to: usize): void {
${each(8, (i) => `  let h${i}: u32 = ${hex(START[i] as number)};`)}
  let t: u32 = 0;
  while (blocks > 0) {
${each(16, (i) => `    let w${i}: u32 = bswap<u32>(load<u32>(from, ${i * 4}));`)}
${rounds(SCALAR)}
    from += 64;
    blocks--;
  }
${each(8, (i) => `  store<u32>(to, bswap<u32>(h${i}), ${i * 4});`)}
}
`;
}

/** Four registers with four words of one message each become four with one word of four messages each. */
function transpose(from: readonly string[], to: readonly string[]): string {
  return [
    `    y0 = v128.shuffle<i32>(${from[0]}, ${from[1]}, 0, 4, 1, 5);`,
    `    y1 = v128.shuffle<i32>(${from[2]}, ${from[3]}, 0, 4, 1, 5);`,
    `    y2 = v128.shuffle<i32>(${from[0]}, ${from[1]}, 2, 6, 3, 7);`,
    `    y3 = v128.shuffle<i32>(${from[2]}, ${from[3]}, 2, 6, 3, 7);`,
    `    ${to[0]} = v128.shuffle<i64>(y0, y1, 0, 2);`,
    `    ${to[1]} = v128.shuffle<i64>(y0, y1, 1, 3);`,
    `    ${to[2]} = v128.shuffle<i64>(y2, y3, 0, 2);`,
    `    ${to[3]} = v128.shuffle<i64>(y2, y3, 1, 3);`,
  ].join('\n');
}

const four = (name: string, first = 0) => [0, 1, 2, 3].map((i) => `${name}${first + i}`);

function fourMessages(): string {
  const words = [0, 1, 2, 3].map((quarter) =>
    [
      each(4, (i) => `    x${i} = swapBytes(v128.load(p${i}, ${quarter * 16}));`),
      transpose(four('x'), four('w', quarter * 4)),
    ].join('\n'),
  );
  const results = [0, 1].map((half) =>
    [
      transpose(four('h', half * 4), four('x')),
      each(4, (i) => `    v128.store(o${i}, swapBytes(x${i}), ${half * 16});`),
    ].join('\n'),
  );
  return `/** Hashes four messages of \`blocks\` padded blocks each, at p0…p3; the hashes go to o0…o3. */
export function sha256Four(
  p0: usize, p1: usize, p2: usize, p3: usize, blocks: i32,
  o0: usize, o1: usize, o2: usize, o3: usize,
): void {
${each(8, (i) => `  let h${i}: v128 = i32x4.splat(${hex(START[i] as number)});`)}
${each(16, (i) => `  let w${i}: v128 = h0;`)}
${each(4, (i) => `  let x${i}: v128 = h0;\n  let y${i}: v128 = h0;`)}
  let t: v128 = h0;
  while (blocks > 0) {
${words.join('\n')}
${rounds(LANES)}
    p0 += 64;
    p1 += 64;
    p2 += 64;
    p3 += 64;
    blocks--;
  }
${results.join('\n')}
}
`;
}

/** The whole source file. */
export function makeSha256Source(): string {
  const constants = ROUND.flatMap((value) => [value, value, value, value]).map(hex);
  return `// Generated by generate/sha256-source.ts; not to be edited.
const ROUND_CONSTANTS: usize = memory.data<u32>([${constants.join(', ')}], 16);

@inline function swapBytes(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
}

${oneMessage()}
${fourMessages()}`;
}
