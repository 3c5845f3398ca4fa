import { expect, it } from 'vitest';
import { SystemClock } from '../../../src/localnet/engine/clock.ts';

const START = 1_800_000_000_000;

/** Clocks of a machine whose wall clock can be set. */
function machine() {
  const time = { wall: START, monotonic: 500 };
  return {
    pass(ms: number) {
      time.wall += ms;
      time.monotonic += ms;
    },
    set(ms: number) {
      time.wall += ms;
    },
    clocks: { wall: () => time.wall, monotonic: () => time.monotonic },
  };
}

it('continues from the last block when the clock is set back while it runs', () => {
  const { pass, set, clocks } = machine();
  const clock = new SystemClock(0, clocks);
  const last = clock.peek(0);
  expect(last).toBe(START / 1_000);
  set(-10 * 86_400_000);
  pass(3_000);
  expect(clock.peek(last)).toBe(last + 3);
  pass(60_000);
  expect(clock.peek(last + 3)).toBe(last + 63);
});

it('continues from the last block when the clock was set back before the start', () => {
  const { pass, clocks } = machine();
  const last = START / 1_000 + 3_600;
  const clock = new SystemClock(last, clocks);
  pass(5_000);
  expect(clock.peek(last)).toBe(last + 5);
});

it('follows a clock that is set forward, as after a sleep of the machine', () => {
  const { set, clocks } = machine();
  const clock = new SystemClock(0, clocks);
  set(3_600_000);
  expect(clock.peek(START / 1_000)).toBe(START / 1_000 + 3_600);
});
