import { describe, expect, it } from 'vitest';
import { FailedLogins, MAX_FAILED_LOGINS } from '../../../../src/api/sql/failed-logins.ts';
import { logIn } from '../../../../src/api/sql/login.ts';
import { hashPassword } from '../../../../src/api/sql/sql-users.ts';

const users = new Map([['alice', { name: 'alice', hash: hashPassword('right'), createdAt: 0 }]]);

function setUp() {
  let now = 0;
  const failures = new FailedLogins({ monotonic: () => now });
  const attempt = (password: string, address = '192.0.2.1', name = 'alice') => {
    const headers = { 'x-clickhouse-user': name, 'x-clickhouse-key': password };
    return () => logIn({ headers, query: new URLSearchParams(), address }, { users, failures });
  };
  const fail = (address?: string) => {
    for (let i = 0; i < MAX_FAILED_LOGINS; i++) expect(attempt('wrong', address)).toThrow('AUTHENTICATION');
  };
  const wait = (ms: number) => {
    now += ms;
  };
  return { attempt, fail, wait };
}

describe('failed logins', () => {
  it('of an address are limited, also for a right password', () => {
    const { attempt, fail } = setUp();
    fail();
    expect(attempt('wrong')).toThrow('Too many failed logins from 192.0.2.1: retry in 60 seconds');
    expect(attempt('right')).toThrow('Too many failed logins');
    expect(attempt('', '192.0.2.1', 'other')).toThrow('Too many failed logins');
  });

  it('do not limit other addresses, and clients without a password', () => {
    const { attempt, fail } = setUp();
    fail();
    expect(attempt('right', '192.0.2.2')().name).toBe('user alice');
    expect(attempt('', '192.0.2.1', 'analyst')().name).toBe('analyst');
  });

  it('are forgotten after a minute', () => {
    const { attempt, fail, wait } = setUp();
    fail();
    wait(60_000);
    expect(attempt('right')().name).toBe('user alice');
  });

  it('of many addresses are counted apart', () => {
    const { attempt } = setUp();
    for (let i = 0; i < 1_000; i++)
      expect(attempt('wrong', `2001:db8::${i.toString(16)}`)).toThrow('AUTHENTICATION');
    expect(attempt('wrong')).toThrow('AUTHENTICATION');
  });
});

describe('a caller', () => {
  it("needs no password as analyst, also in the form of ClickHouse's JDBC driver", () => {
    const { attempt } = setUp();
    expect(attempt('null', '192.0.2.1', 'analyst')().name).toBe('analyst');
    expect(attempt('null', '192.0.2.1', 'alice')).toThrow('AUTHENTICATION');
  });

  it('without a password counts by address, a user by name', () => {
    const { attempt } = setUp();
    expect(attempt('', '192.0.2.1', 'analyst')()).toEqual({ name: 'analyst', turn: 'analyst at 192.0.2.1' });
    expect(attempt('right')()).toEqual({ name: 'user alice', turn: 'user alice' });
  });
});
